const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Whether the visitor asked the computer for less motion. It may change while the page is open. */
export const prefersLessMotion = (): boolean => lessMotion.matches

const SINGLE_KEYS = 'single-key commands'

/** Whether letters are commands. One who dictates, or hits keys by accident, turns them off (WCAG 2.1.4). */
export const singleKeys = {
  get on(): boolean {
    return storage()?.getItem(SINGLE_KEYS) !== 'off'
  },
  set on(on: boolean) {
    storage()?.setItem(SINGLE_KEYS, on ? 'on' : 'off')
  },
}

/** Null where the browser allows no storage. */
function storage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

/** Whether this is a phone that stands upright. */
export const phone = window.matchMedia('(pointer: coarse) and (max-width: 640px) and (orientation: portrait)')
