import { AvoidObstacles, Obstacles, ReciprocalAvoidance, SphereShape, Stick } from 'three-steering'
import { SteeringController, SteeringWorld, within } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const rocks = new Obstacles([{ shape: new SphereShape(9), at: { x: 0, y: 0, z: 60 } }])
const stick = new Stick({ deadzone: 0.1 })
const assist = within([new AvoidObstacles({ obstacles: rocks }), new ReciprocalAvoidance()], stick)
export const player = new SteeringController(null, { behavior: assist, maxSpeed: 20, maxForce: 40 })
steering.add(player)

// the keyboard
const held = new Set<string>()
export function onKey({ type, code }: Pick<KeyboardEvent, 'type' | 'code'>): void {
  if (type === 'keyup') held.delete(code)
  else if (!held.has(code)) {
    held.add(code)
    if (code === 'KeyX') stick.killDrift = !stick.killDrift
    // the first constraint, which avoids rocks
    if (code === 'KeyC') assist.parts[0]!.enabled = !assist.parts[0]!.enabled
  }
}

// touch, from where the finger went down
const touch = { isDown: false, startX: 0, startY: 0, x: 0, y: 0 }
export function onPointer({
  type,
  clientX: x,
  clientY: y,
}: Pick<PointerEvent, 'type' | 'clientX' | 'clientY'>): void {
  if (type === 'pointerdown') Object.assign(touch, { isDown: true, startX: x, startY: y })
  if (type === 'pointerup' || type === 'pointercancel') touch.isDown = false
  touch.x = touch.isDown ? (x - touch.startX) / 80 : 0 // full deflection at 80 pixels
  touch.y = touch.isDown ? (y - touch.startY) / 80 : 0
}

const NO_PAD: Pick<Gamepad, 'axes' | 'buttons'> = { axes: [], buttons: [] }
const keys = (minus: string, plus: string): number => Number(held.has(plus)) - Number(held.has(minus))

// each rendered frame: delta in seconds, and the state of a gamepad. The stick clamps the sums
export function frame(delta: number, pad?: Pick<Gamepad, 'axes' | 'buttons'> | null): void {
  const { axes, buttons } = pad ?? NO_PAD
  const [x = 0, y = 0, turnX = 0, turnY = 0] = axes
  stick.right = keys('KeyA', 'KeyD') + x
  stick.ahead = keys('KeyS', 'KeyW') - y
  stick.up = keys('KeyF', 'KeyR') + (buttons[7]?.value ?? 0) - (buttons[6]?.value ?? 0)
  stick.roll = keys('KeyQ', 'KeyE') + (buttons[5]?.value ?? 0) - (buttons[4]?.value ?? 0)
  stick.yaw = keys('ArrowLeft', 'ArrowRight') + turnX + touch.x
  stick.pitch = keys('ArrowDown', 'ArrowUp') - turnY - touch.y
  steering.advance(delta)
}

if (typeof document !== 'undefined') {
  for (const type of ['keydown', 'keyup'] as const) addEventListener(type, onKey)
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    addEventListener(type, onPointer)
}
show(steering, { frame: (delta) => frame(delta, navigator.getGamepads()[0] ?? null), obstacles: rocks })
