import type { Stick } from 'three-steering'
import { singleKeys } from '../preferences.js'
import { add } from './dom.js'

/** Time without input after which the ship is no longer steered (s). */
export const PATIENCE = 25
/** Deflection of a thumb pad at its rim (px). */
const RIM = 46
/** Rate at which the deflection follows a key (1/s): a tap turns a little. */
const KEY_RATE = 7
/** Rate at which the ship rolls level while nobody rolls it, per radian. */
const LEVEL = 1.1

/** What the helm steers, and how far it leans to starboard (rad). */
export interface Steered {
  readonly stick: Stick
  played: boolean
  trigger: boolean
  lean(): number
}

const AXES = {
  ahead: ['KeyS', 'KeyW'],
  right: ['KeyA', 'KeyD'],
  up: ['KeyG', 'KeyR'],
  roll: ['KeyQ', 'KeyE'],
  pitch: ['ArrowDown', 'ArrowUp'],
  yaw: ['ArrowLeft', 'ArrowRight'],
} as const
type Axis = keyof typeof AXES
const KEYS = new Set<string>([...Object.values(AXES).flat(), 'Space'])
/** Way of a locked pointer for full deflection (px), and share of it that does nothing. */
const WAY = 230
const STILL = 0.06

const POINTER = ['pointerdown', 'pointermove', 'pointerup'] as const

interface Thumb {
  readonly pad: HTMLElement
  readonly knob: HTMLElement
  x: number
  y: number
}

/**
 * Steers a `Stick` by keyboard, mouse, gamepad and two thumb pads. The first input takes the ship over, and a
 * while after the last one it is given back.
 */
export class Helm {
  /** Called for keys that do not steer, with their code. Returns whether the key means something. */
  onKey: ((code: string) => boolean) | null = null
  readonly #steered: Steered
  readonly #box = document.createElement('div')
  readonly #thumbs: readonly Thumb[]
  readonly #fire: HTMLElement
  readonly #held = new Set<string>()
  readonly #keys: Record<Axis, number> = { ahead: 0, right: 0, up: 0, roll: 0, pitch: 0, yaw: 0 }
  readonly #parent: Element
  #firing = false
  #idle = 0
  /** Deflection of the mouse, to the right and down, or null when it does not steer. */
  mouse: { x: number; y: number } | null = null
  #moved = false

  constructor(steered: Steered, parent: Element) {
    this.#steered = steered
    this.#parent = parent
    this.#box.className = 'helm'
    this.#thumbs = ['thrust', 'turn'].map((name) => makeThumb(name, this.#box))
    this.#fire = add('button', this.#box, 'fire')
    this.#fire.textContent = 'fire'
    this.#fire.addEventListener('pointerdown', () => (this.#firing = true))
    for (const type of ['pointerup', 'pointercancel', 'pointerleave'])
      this.#fire.addEventListener(type, () => (this.#firing = false))
    parent.append(this.#box)
    window.addEventListener('keydown', this.#onKey, { capture: true })
    window.addEventListener('keyup', this.#onKey, { capture: true })
    window.addEventListener('blur', this.#release)
    document.addEventListener('pointerlockchange', this.#onLock)
    // before the canvas gets them, which would turn the camera or choose a ship
    for (const type of POINTER) parent.addEventListener(type, this.#onMouse, { capture: true })
  }

  /** Time until the ship is given back, if nobody steers (s). */
  get rest(): number {
    return PATIENCE - this.#idle
  }

  /** Makes the mouse steer, its left button fire, and locks the pointer where that is possible. */
  steerByMouse(on: boolean): void {
    if (on === (this.mouse !== null)) return
    this.mouse = on ? { x: 0, y: 0 } : null
    this.#firing = false
    if (!on && document.pointerLockElement === this.#parent) document.exitPointerLock()
    // without a lock the place of the pointer steers
    if (on && 'requestPointerLock' in this.#parent)
      Promise.resolve(this.#parent.requestPointerLock()).catch(() => {})
  }

  /** Call once per frame. */
  update(seconds: number): void {
    const pad = navigator.getGamepads().find((each) => each !== null) ?? null
    const [x = 0, y = 0, turnX = 0, turnY = 0] = pad?.axes ?? []
    const button = (k: number): number => pad?.buttons[k]?.value ?? 0
    const [thrust, turn] = this.#thumbs as [Thumb, Thumb]
    const trigger = this.#firing || this.#held.has('Space') || button(0) > 0.5
    const wanted = Math.abs(x) + Math.abs(y) + Math.abs(turnX) + Math.abs(turnY) + button(6) + button(7)
    const isHeld = this.#held.size > 0 || isPushed(thrust) || isPushed(turn)
    const active = isHeld || trigger || wanted > 0.3 || this.#moved
    this.#moved = false
    const steered = this.#steered
    if (active) {
      this.#idle = 0
      steered.played = true
    } else if (steered.played && (this.#idle += seconds) > PATIENCE) steered.played = false
    if (!steered.played) {
      this.#idle = 0
      return
    }
    const keys = this.#keys
    for (const axis of Object.keys(AXES) as Axis[]) {
      const [minus = '', plus = ''] = AXES[axis]
      const pressed = Number(this.#held.has(plus)) - Number(this.#held.has(minus))
      keys[axis] += (pressed - keys[axis]) * (1 - Math.exp(-seconds * KEY_RATE))
      if (pressed === 0 && Math.abs(keys[axis]) < 0.02) keys[axis] = 0
    }
    const { stick } = steered
    stick.ahead = keys.ahead - y - thrust.y
    stick.right = x + thrust.x
    stick.up = keys.up + button(7) - button(6)
    stick.yaw = keys.yaw + turnX + turn.x + eased(this.mouse?.x)
    stick.pitch = keys.pitch - turnY - turn.y - eased(this.mouse?.y)
    // rolls into turns and back to level, unless someone rolls it
    const roll = keys.roll + button(5) - button(4)
    stick.roll = roll !== 0 ? roll : LEVEL * (0.45 * clamp(stick.yaw) - steered.lean())
    steered.trigger = trigger
  }

  dispose(): void {
    this.#box.remove()
    window.removeEventListener('keydown', this.#onKey, { capture: true })
    window.removeEventListener('keyup', this.#onKey, { capture: true })
    window.removeEventListener('blur', this.#release)
    this.steerByMouse(false)
    document.removeEventListener('pointerlockchange', this.#onLock)
    for (const type of POINTER) this.#parent.removeEventListener(type, this.#onMouse, { capture: true })
  }

  readonly #onMouse = (event: Event): void => {
    const { mouse } = this
    const { target, type } = event
    if (!(event instanceof PointerEvent) || mouse === null || event.pointerType !== 'mouse') return
    if (target instanceof Element && target.closest('button, section, aside')) return
    event.stopPropagation()
    if (type === 'pointerdown') this.#firing = true
    else if (type === 'pointerup') this.#firing = false
    else {
      this.#moved = true
      const { height, left, top, width } = this.#parent.getBoundingClientRect()
      const isLocked = document.pointerLockElement === this.#parent
      const x = isLocked
        ? mouse.x + event.movementX / WAY
        : (event.clientX - left - width / 2) / (0.4 * height)
      const y = isLocked
        ? mouse.y + event.movementY / WAY
        : (event.clientY - top - height / 2) / (0.4 * height)
      const far = Math.max(1, Math.hypot(x, y))
      mouse.x = x / far
      mouse.y = y / far
    }
  }

  #wasLocked = false
  readonly #onLock = (): void => {
    const isLocked = document.pointerLockElement === this.#parent
    if (this.#wasLocked && !isLocked) this.steerByMouse(false)
    this.#wasLocked = isLocked
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { altKey, code, ctrlKey, metaKey, repeat, target, type } = event
    // keys of the browser and of text fields come first
    if (type === 'keyup') this.#held.delete(code)
    if (altKey || ctrlKey || metaKey) return
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    // it presses the button that has the focus
    if (code === 'Enter' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement))
      return
    if (document.querySelector('#menu:popover-open')) return
    if (!singleKeys.on && /^(?:Key|Digit)/.test(code)) return
    if (KEYS.has(code)) {
      if (type === 'keydown') this.#held.add(code)
    } else if (type !== 'keydown' || repeat || this.onKey?.(code) !== true) return
    // an arrow does not open another scene as well, nor does the space bar press a button
    event.preventDefault()
  }

  readonly #release = (): void => {
    this.#held.clear()
    this.#firing = false
  }
}

const clamp = (axis: number): number => Math.max(-1, Math.min(1, axis))
/** A deflection of the mouse: nothing near the middle, and little beside it. */
const eased = (axis = 0): number =>
  Math.sign(axis) * Math.max(0, (Math.abs(axis) - STILL) / (1 - STILL)) ** 1.4
const isPushed = ({ x, y }: Thumb): boolean => x !== 0 || y !== 0

function makeThumb(name: string, parent: Element): Thumb {
  const pad = add('div', parent, `thumb ${name}`)
  pad.setAttribute('aria-label', name)
  const thumb: Thumb = { pad, knob: add('i', pad), x: 0, y: 0 }
  const put = (x: number, y: number): void => {
    const far = Math.max(1, Math.hypot(x, y) / RIM)
    thumb.x = x / far / RIM
    thumb.y = y / far / RIM
    thumb.knob.style.transform = `translate(${x / far}px, ${y / far}px)`
  }
  let down: number | null = null
  pad.addEventListener('pointerdown', (event) => {
    down = event.pointerId
    pad.setPointerCapture(event.pointerId)
    event.preventDefault()
  })
  pad.addEventListener('pointermove', ({ clientX, clientY, pointerId }) => {
    if (pointerId !== down) return
    const { height, left, top, width } = pad.getBoundingClientRect()
    put(clientX - left - width / 2, clientY - top - height / 2)
  })
  for (const type of ['pointerup', 'pointercancel'])
    pad.addEventListener(type, () => {
      down = null
      put(0, 0)
    })
  return thumb
}
