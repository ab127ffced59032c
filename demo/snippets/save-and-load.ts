import * as CANNON from 'cannon-es'
import { Arrive, blend, SteeringController, SteeringWorld, Wander } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const steering = new SteeringWorld({ seed: 7 })
attachToCannon(steering, world)
const target = { x: 20, y: 0, z: 0 }
const behavior = blend([new Arrive({ target }), { behavior: new Wander(), weight: 0.5 }])
for (let i = 0; i < 5; i++) {
  const position = new CANNON.Vec3(-20, 0, 5 * i - 10)
  const body = new CANNON.Body({ mass: 2, shape: new CANNON.Sphere(1), position })
  world.addBody(body)
  steering.add(new SteeringController(null, { body: cannonBody(body), behavior, maxSpeed: 8, maxForce: 20 }))
}
export const game = { score: 0 }

interface SavedGame {
  readonly steering: Snapshot
  readonly bodies: readonly number[][]
  readonly target: { x: number; y: number; z: number }
  readonly score: number
}

/** Between two steps: steering, bodies, and what is the game's own, all of the same moment. */
export function save(): string {
  const saved: SavedGame = {
    steering: takeSnapshot(steering),
    bodies: world.bodies.map(({ position, quaternion, velocity, angularVelocity, sleepState }) => [
      ...[position, quaternion, velocity, angularVelocity].flatMap((vector) => vector.toArray()),
      sleepState,
    ]),
    target: { ...target },
    score: game.score,
  }
  return JSON.stringify(saved)
}

/** Into a world that the same code has built. */
export function load(text: string): void {
  const saved = JSON.parse(text) as SavedGame
  world.bodies.forEach((body, i) => {
    const [px, py, pz, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz, sleep] = saved.bodies[i]!
    body.position.set(px!, py!, pz!)
    body.previousPosition.copy(body.position)
    body.interpolatedPosition.copy(body.position)
    body.quaternion.set(qx!, qy!, qz!, qw!)
    body.previousQuaternion.copy(body.quaternion)
    body.interpolatedQuaternion.copy(body.quaternion)
    body.velocity.set(vx!, vy!, vz!)
    body.angularVelocity.set(wx!, wy!, wz!)
    body.sleepState = sleep as typeof body.sleepState
    body.aabbNeedsUpdate = true
    body.updateInertiaWorld(true)
  })
  game.score = saved.score
  Object.assign(target, saved.target)
  restoreSnapshot(steering, saved.steering)
}

export const places = (): string => world.bodies.map(({ position }) => position.toString()).join(' ')

export function frame(seconds: number): void {
  world.step(1 / 60, seconds)
}

if (typeof document !== 'undefined')
  addEventListener('keydown', ({ code }) => {
    if (code === 'KeyK') localStorage.setItem('game', save())
    const saved = code === 'KeyL' ? localStorage.getItem('game') : null
    if (saved !== null) load(saved)
  })
show(steering, { frame, size: 26, readout: () => 'K: save, L: load' })
