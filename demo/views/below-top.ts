/**
 * Lower edge of the list of scenes (px from the top of the window). Its height varies with the width of the
 * window.
 */
export function belowTop(): number {
  const { bottom } = document.getElementById('top')?.getBoundingClientRect() ?? { bottom: 0 }
  return Math.max(12, bottom - 4)
}
