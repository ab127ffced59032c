// Cost of the doors of cannon-es and Rapier beside the step of their engines, µs of CPU for each body and step:
// `npm run build && node test/bench/doors.mjs`
import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { SteeringWorld } from '../../dist/index.js'
import { cannonBody } from '../../dist/cannon.js'
import { rapierDoor } from '../../dist/rapier.js'
import { bodyState, readBody } from '../../dist/engine/body-state.js'

const COUNT = 1000
const STEP = { dt: 1 / 60, time: 0, tick: 0, up: { x: 0, y: 1, z: 0 }, emit() {} }
const WRENCH = { force: { x: 1e-3, y: 0, z: 0 }, torque: { x: 1e-3, y: 0, z: 0 }, turns: false }

/** CPU time (µs) of one run for each body. @param {() => void} run */
function cost(run) {
  const start = process.cpuUsage().user
  for (let i = 0; i < 40; i++) run()
  return (process.cpuUsage().user - start) / 40 / COUNT
}

/** Free balls on a lattice of 4 m, which do not touch. @param {number} i */
const place = (i) => ({ x: 4 * (i % 10), y: 4 * (Math.floor(i / 10) % 10), z: 4 * Math.floor(i / 100) })

await RAPIER.init()
const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
const door = rapierDoor(new SteeringWorld(), world)
const bodies = Array.from({ length: COUNT }, (_, i) => {
  const { x, y, z } = place(i)
  const body = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false),
  )
  world.createCollider(RAPIER.ColliderDesc.ball(0.5), body)
  return door.body(body)
})
const quick = rapierDoor(new SteeringWorld(), world, RAPIER)
/** @type {typeof bodies} */
const quickBodies = []
world.forEachRigidBody((body) => quickBodies.push(quick.body(body)))
const heap = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
const box = [
  [8, 1, 8, 0, -1, 0],
  [0.5, 20, 9, 8.5, 0, 0],
  [0.5, 20, 9, -8.5, 0, 0],
  [9, 20, 0.5, 0, 0, 8.5],
  [9, 20, 0.5, 0, 0, -8.5],
]
for (const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] of box)
  heap.createCollider(RAPIER.ColliderDesc.cuboid(a, b, c).setTranslation(x, y, z))
for (let i = 0; i < COUNT; i++) {
  const desc = RAPIER.RigidBodyDesc.dynamic().setCanSleep(false)
  desc.setTranslation(
    (i % 12) - 6 + 0.01 * Math.sin(i),
    1 + 1.1 * Math.floor(i / 144),
    (Math.floor(i / 12) % 12) - 6,
  )
  heap.createCollider(RAPIER.ColliderDesc.ball(0.5), heap.createRigidBody(desc))
}
const balls = new CANNON.World()
balls.broadphase = new CANNON.SAPBroadphase(balls)
const cannonBodies = Array.from({ length: COUNT }, (_, i) => {
  const { x, y, z } = place(i)
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), position: new CANNON.Vec3(x, y, z) })
  balls.addBody(body)
  return cannonBody(body)
})

/**
 * Applies one wrench to all bodies of Rapier, as a step of the door does.
 * @param {typeof bodies} all @param {typeof WRENCH} wrench
 */
function push(all, wrench) {
  for (const body of all) body.apply(wrench, STEP)
  for (const body of all) body.push(STEP.dt)
  for (const each of [door, quick]) each.afterStep()
}
const FORCE = { ...WRENCH, torque: { x: 0, y: 0, z: 0 } }

const rows = {
  'Rapier: step, free balls': () => world.step(),
  'Rapier: step, a heap of balls': () => heap.step(),
  'Rapier: read': () => bodies.forEach((body) => readBody(body)),
  'Rapier: apply, force and torque': () => push(bodies, WRENCH),
  'Rapier: apply, force only': () => push(bodies, FORCE),
  'the same, with the module of Rapier': () => push(quickBodies, WRENCH),
  'the same, force only': () => push(quickBodies, FORCE),
  'cannon-es: step, free balls, SAP': () => balls.step(1 / 60),
  'cannon-es: read': () => cannonBodies.forEach((body) => readBody(body)),
  'cannon-es: apply, force and torque': () => cannonBodies.forEach((body) => body.apply(WRENCH, STEP)),
}
// by turns, so that a busy moment of the machine meets all rows; the least of many measurements of each
const least = new Map(Object.keys(rows).map((name) => [name, Infinity]))
for (let round = 0; round < 20; round++)
  for (const [name, run] of Object.entries(rows)) least.set(name, Math.min(least.get(name) ?? 0, cost(run)))
for (const [name, micros] of least) console.log(`${name.padEnd(36)} ${micros.toFixed(2)}`)
if (!Number.isFinite(bodyState.mass)) throw new Error('nothing was read')
