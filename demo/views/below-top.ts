/** Where the list of scenes above ends, which takes as many lines as it needs: px from the top. */
export function belowTop(): number {
  const { bottom } = document.getElementById('top')?.getBoundingClientRect() ?? { bottom: 0 }
  return Math.max(12, bottom - 4)
}
