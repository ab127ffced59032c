import { AXES } from '../world/craft.js'

type Axis = (typeof AXES)[number]

/** Keys of the two directions of each axis. */
const KEYS: Readonly<Record<Axis, readonly [minus: string, plus: string]>> = {
  ahead: ['KeyS', 'KeyW'],
  up: ['KeyF', 'KeyR'],
  right: ['KeyA', 'KeyD'],
  roll: ['KeyQ', 'KeyE'],
  pitch: ['ArrowDown', 'ArrowUp'],
  yaw: ['ArrowLeft', 'ArrowRight'],
}

/** Deflection of a pad is full at this distance from where the finger went down (px). */
const FULL_DRAG = 55

/** The six axes of the stick, from keyboard, touch and gamepad. */
export class Controls {
  private readonly held = new Set<string>()
  private readonly dragged: Partial<Record<Axis, number>> = {}

  constructor() {
    addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return
      this.held.add(event.code)
      if (event.code.startsWith('Arrow')) event.preventDefault()
    })
    addEventListener('keyup', ({ code }) => this.held.delete(code))
    // a key that is let go while another window has the focus is never heard of
    addEventListener('blur', () => this.held.clear())
  }

  /** An element that is dragged: its two axes, to the right and up. */
  pad(element: HTMLElement, across: Axis, along: Axis): void {
    const start = { x: 0, y: 0 }
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId)
      Object.assign(start, { x: event.clientX, y: event.clientY })
    })
    element.addEventListener('pointermove', (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return
      this.dragged[across] = (event.clientX - start.x) / FULL_DRAG
      this.dragged[along] = (start.y - event.clientY) / FULL_DRAG
    })
    element.addEventListener('lostpointercapture', () => {
      this.dragged[across] = this.dragged[along] = 0
    })
  }

  read(): number[] {
    const { axes = [], buttons = [] } = navigator.getGamepads?.().find((each) => each?.connected) ?? {}
    const stick = (index: number): number => {
      const value = axes[index] ?? 0
      return Math.abs(value) < 0.12 ? 0 : value
    }
    const press = (index: number): number => buttons[index]?.value ?? 0
    const pad: Record<Axis, number> = {
      ahead: -stick(1),
      up: press(7) - press(6),
      right: stick(0),
      roll: press(5) - press(4),
      pitch: -stick(3),
      yaw: stick(2),
    }
    return AXES.map((axis) => {
      const [minus, plus] = KEYS[axis]
      const keys = Number(this.held.has(plus)) - Number(this.held.has(minus))
      return Math.max(-1, Math.min(1, keys + pad[axis] + (this.dragged[axis] ?? 0)))
    })
  }
}
