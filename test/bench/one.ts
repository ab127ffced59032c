import { seeded } from 'three-steering/authoring'
import { Assignment, boxPattern } from 'three-steering/formation'
import { AVOID_3D, avoid3d } from '../rigs/avoid-3d.js'
import { inBuilding, movingRocks, ROCK_SHIPS, shipTraffic } from '../rigs/avoid-scenes.js'
import { FLOCK_3D, flock3d } from '../rigs/flock-3d.js'
import { RECIPROCAL_3D, reciprocal3d } from '../rigs/reciprocal-3d.js'
import { BODY_MAKERS } from './bodies.js'
import { PATH_MAKERS } from './paths.js'
import { measureHeap, measuringOverhead } from '../support/heap.js'
import { USES } from './uses.js'
import { cellFlock } from './peers/cells.js'
import { vector3Flock } from './peers/vector3.js'
import { yukaAvoid, yukaFlock } from './peers/yuka.js'

/**
 * One measurement in a process of its own: `node --expose-gc one.js <implementation> <count> <k> [flow]`
 * prints, per agent, the mean time of a step, the time that 99 % of the steps do not exceed, the time of the
 * first step (µs), and the bytes that a step allocates. The mean counts the steps that make lists or collect
 * garbage; a median would hide them. It makes 300 steps to warm up, or as many as fit into 5 s, then as many
 * as fit into 0.6 s. For obstacles `count` is their number.
 */
const MAKERS: Record<string, (count: number, k: number, flow: boolean) => () => void> = {
  'avoid: three-steering': (balls) => {
    const { world } = avoid3d(balls)
    return () => world.step(AVOID_3D.dt)
  },
  'avoid: nothing': (balls) => {
    const { world } = avoid3d(balls, false)
    return () => world.step(AVOID_3D.dt)
  },
  'avoid: yuka': yukaAvoid,
  'rocks: three-steering': (rocks) => movingRocks(rocks).step,
  'rocks: nothing': (rocks) => movingRocks(rocks, false).step,
  'building: three-steering': (count) => inBuilding(count).step,
  'building: nothing': (count) => inBuilding(count, false).step,
  'crossing ships: three-steering': (count) => shipTraffic(count).step,
  'crossing ships: nothing': (count) => shipTraffic(count, false).step,
  'reciprocal: three-steering': (count) => {
    const world = reciprocal3d(count)
    return () => world.step(RECIPROCAL_3D.dt)
  },
  'reciprocal: nothing': (count) => {
    const world = reciprocal3d(count, false)
    return () => world.step(RECIPROCAL_3D.dt)
  },
  assignment: (count) => {
    const [random, kept, slots] = [seeded(count), new Assignment(), boxPattern(count, 4)]
    const at = (): number => 40 * random() - 20
    return () => {
      kept.forget()
      kept.solve(
        slots.map((_, key) => ({ key, position: { x: at(), y: at(), z: at() } })),
        slots,
      )
    }
  },
  'three-steering': (count, k, flow) => {
    const { world } = flock3d(count, k, flow)
    return () => world.step(FLOCK_3D.dt)
  },
  'plain arrays': (count, k, flow) => {
    const flock = cellFlock(count, k, flow)
    return () => flock.step()
  },
  yuka: yukaFlock,
  ...USES,
  ...BODY_MAKERS,
  ...PATH_MAKERS,
  'Vector3 objects': vector3Flock,
}

/** Code is compiled after some number of steps, which a busy machine does not make in a fixed time. */
const WARM_STEPS = 300
const MOST_WARMING = 5000

const [name = '', count = '', k = '', flow = ''] = process.argv.slice(2)
const make = MAKERS[name]
if (make === undefined)
  throw new RangeError(`implementation: got '${name}', must be one of ${Object.keys(MAKERS).join(', ')}`)
const step = make(Number(count), Number(k), flow === 'flow')
const agents = name.startsWith('avoid')
  ? AVOID_3D.pilots
  : name.startsWith('rocks')
    ? ROCK_SHIPS
    : Number(count)
const began = performance.now()
step()
const first = performance.now() - began
const start = performance.now()
const since = (): number => performance.now() - start
for (let i = 0; i < 10 || since() < 400 || (i < WARM_STEPS && since() < MOST_WARMING); i++) step()
const times = new Float64Array(1e6)
let steps = 0
const end = performance.now() + 600
while (steps < times.length && (performance.now() < end || steps < 5)) {
  const before = performance.now()
  step()
  times[steps++] = performance.now() - before
}
const made = times.subarray(0, steps)
const micros = (ms: number): string => ((ms * 1000) / agents).toFixed(4)
const mean = made.reduce((sum, each) => sum + each, 0) / steps
const HEAP_STEPS = 20
const allocated = Math.max(0, measureHeap(step, HEAP_STEPS).allocated - measuringOverhead(HEAP_STEPS))
console.log(
  micros(mean),
  micros(made.toSorted()[Math.ceil(0.99 * steps) - 1]!),
  micros(first),
  (allocated / agents).toFixed(1),
)
