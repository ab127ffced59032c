// What it costs a car to see that it can stop: CPU time of a step with and without it, in turns.
// `npm run build && node test/bench/wheels.mjs`
import {
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
} from '../../dist/entries/index.js'

const CARS = 10
const MIDDLE = 26
const ROUNDS = 40
const STEPS = 60

/** Walls of a street of 12 m around a block: half size and place in x and z. */
const WALLS = [
  [20, 20, 0, 0],
  [1, 34, 33, 0],
  [1, 34, -33, 0],
  [34, 1, 0, 33],
  [34, 1, 0, -33],
]

/** @param {number} speed */
function street(speed) {
  const world = new SteeringWorld()
  const obstacles = new Obstacles(
    WALLS.map(([a = 0, c = 0, x = 0, z = 0]) => ({
      shape: new BoxShape({ x: a, y: 3, z: c }),
      at: { x, y: 0, z },
    })),
  )
  const corner = (/** @type {number} */ x, /** @type {number} */ z) => ({
    x: MIDDLE * x,
    y: 0,
    z: MIDDLE * z,
  })
  const points = [corner(1, 1), corner(1, -1), corner(-1, -1), corner(-1, 1)]
  const path = new Path({ points, curve: 'arcs', radius: 10, ends: 'closed' })
  for (let i = 0; i < CARS; i++)
    world.add(
      new SteeringController(null, {
        behavior: within([new AvoidObstacles({ obstacles })], new FollowPath({ path, speed })),
        plane: { x: 0, y: 1, z: 0 },
        position: { x: MIDDLE - 3 + (i % 7), y: 0, z: 4 * i - MIDDLE },
        quaternion: { x: 0, y: 1, z: 0, w: 0 },
        mass: 1000,
        inertia: { x: 1000, y: 1500, z: 500 },
        maxForce: 7000,
        maxTorque: 20_000,
        maxSpeed: 1.2 * speed,
        radius: 1.3,
        locomotion: new Wheels({ wheelbase: 2, steerRate: 1.5 }),
      }),
    )
  return world
}

/** @type {{ canStop: () => boolean }} */
const wheels = Object(Wheels.prototype)
const { canStop } = wheels
for (const speed of [5, 12]) {
  const rows = [canStop, () => true].map((run) => ({ run, world: street(speed), least: Infinity }))
  for (let round = 0; round < ROUNDS; round++)
    for (const row of rows) {
      wheels.canStop = row.run
      const start = process.cpuUsage()
      for (let step = 0; step < STEPS; step++) row.world.step(1 / 60)
      const { system, user } = process.cpuUsage(start)
      row.least = Math.min(row.least, (user + system) / STEPS / CARS)
    }
  const [all = 0, rest = 0] = rows.map(({ least }) => least)
  console.log(`${speed} m/s: ${all.toFixed(2)} µs a car and step, ${rest.toFixed(2)} without`)
}
