// Cost of the doors of cannon-es and Rapier beside the step of their engines, µs of CPU for each body and step:
// `npm run build && node test/bench/doors.mjs`
import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { SteeringWorld } from '../../dist/entries/index.js'
import { cannonBody } from '../../dist/entries/cannon.js'
import { rapierDoor } from '../../dist/entries/rapier.js'
import { bodyState, readBody } from '../../dist/core/engine/body-state.js'

/**
 * One scene in one engine: a step of the engine, and what the door does in a step.
 * @typedef {{ name: string, count: number, rows: Record<'step' | 'read' | 'apply', () => void> }} Scene
 */

const STEP = { dt: 1 / 60, time: 0, tick: 0, up: { x: 0, y: 1, z: 0 }, emit() {} }
const WRENCH = { force: { x: 1e-3, y: 0, z: 0 }, torque: { x: 1e-3, y: 0, z: 0 }, turns: false }
const ROUNDS = 20

/** Free balls on a lattice of 4 m, which do not touch. @param {number} i */
const free = (i) => ({ x: 4 * (i % 10), y: 4 * (Math.floor(i / 10) % 10), z: 4 * Math.floor(i / 100) })

/** Balls that fall into a box of 12 m. @param {number} i */
const heap = (i) => ({
  x: (i % 12) - 5.5 + 0.01 * Math.sin(i),
  y: 1 + 1.1 * Math.floor(i / 144),
  z: (Math.floor(i / 12) % 12) - 5.5,
})

/** Floor and walls of that box: half extents and centre. */
const BOX = [
  [8, 1, 8, 0, -1, 0],
  [0.5, 50, 9, 6.6, 0, 0],
  [0.5, 50, 9, -6.6, 0, 0],
  [9, 50, 0.5, 0, 0, 6.6],
  [9, 50, 0.5, 0, 0, -6.6],
]

/** @param {number} count @param {typeof free} place @returns {Scene} */
function rapier(count, place) {
  const world = new RAPIER.World({ x: 0, y: place === heap ? -9.81 : 0, z: 0 })
  const door = rapierDoor(new SteeringWorld(), world)
  if (place === heap)
    for (const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] of BOX)
      world.createCollider(RAPIER.ColliderDesc.cuboid(a, b, c).setTranslation(x, y, z))
  const bodies = Array.from({ length: count }, (_, i) => {
    const { x, y, z } = place(i)
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false),
    )
    world.createCollider(RAPIER.ColliderDesc.ball(0.5), body)
    return door.body(body)
  })
  const step = () => world.step()
  const read = () => bodies.forEach((body) => readBody(body))
  const apply = () => {
    for (const body of bodies) body.apply(WRENCH, STEP)
    // what the door does before and after a step of Rapier
    for (const body of bodies) body.push(STEP.dt)
    door.afterStep()
  }
  return { name: 'Rapier', count, rows: { step, read, apply } }
}

/** @param {number} count @param {typeof free} place @returns {Scene} */
function cannon(count, place) {
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, place === heap ? -9.81 : 0, 0) })
  world.broadphase = new CANNON.SAPBroadphase(world)
  if (place === heap)
    for (const [a, b, c, x, y, z] of BOX)
      world.addBody(
        new CANNON.Body({
          shape: new CANNON.Box(new CANNON.Vec3(a, b, c)),
          position: new CANNON.Vec3(x, y, z),
        }),
      )
  const bodies = Array.from({ length: count }, (_, i) => {
    const { x, y, z } = place(i)
    const position = new CANNON.Vec3(x, y, z)
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), position })
    world.addBody(body)
    return cannonBody(body)
  })
  const step = () => world.step(STEP.dt)
  const read = () => bodies.forEach((body) => readBody(body))
  const apply = () => bodies.forEach((body) => body.apply(WRENCH, STEP))
  return { name: 'cannon-es', count, rows: { step, read, apply } }
}

/** CPU time (µs) of one run for each body. @param {() => void} run @param {number} count */
function cost(run, count) {
  const repeats = Math.ceil(4000 / count)
  const start = process.cpuUsage()
  for (let i = 0; i < repeats; i++) run()
  // (only the sum of both is exact)
  const { system, user } = process.cpuUsage(start)
  return (user + system) / repeats / count
}

await RAPIER.init()
console.log('| balls | engine | its step | read | apply | door over step |\n| - | - | -: | -: | -: | -: |')
for (const [where, place] of /** @type {const} */ ([
  ['free', free],
  ['in a heap', heap],
]))
  for (const count of [100, 1000, 5000]) {
    const scenes = [rapier(count, place)]
    // a heap of 5,000 takes cannon-es seconds for a step
    if (place === free || count < 5000) scenes.push(cannon(count, place))
    for (const { rows } of scenes) for (let i = 0; i < 120; i++) rows.step()
    // by turns, so that a busy moment of the machine meets all rows; the least of many measurements of each
    const all = scenes.flatMap(({ rows }) => Object.values(rows).map((run) => ({ run, least: Infinity })))
    for (let round = 0; round < ROUNDS; round++)
      for (const row of all) row.least = Math.min(row.least, cost(row.run, count))
    for (const [i, { name }] of scenes.entries()) {
      const [step = 0, read = 0, apply = 0] = all.slice(3 * i, 3 * i + 3).map(({ least }) => least)
      const cells = [step, read, apply, (read + apply) / step].map((value) => value.toFixed(2))
      console.log(`| ${count} ${where} | ${name} | ${cells.join(' | ')} |`)
    }
  }
if (!Number.isFinite(bodyState.mass)) throw new Error('nothing was read')
