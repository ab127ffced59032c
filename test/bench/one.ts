import { seeded } from 'three-steering/authoring'
import { Assignment, boxPattern } from 'three-steering/formation'
import { Murmuration } from '../../demo/scenarios/murmuration.js'
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
import { yukaAvoid, yukaFlock, yukaRocks } from './peers/yuka.js'

/**
 * One measurement in a process of its own: `node --expose-gc one.js <implementation> <count> <k> <start>
 * <seconds>` prints, per agent, the mean CPU time of a step, the time that 99 % of the steps do not exceed,
 * the time of the first step (µs), the bytes that a step allocates, and the median of the times. CPU time is
 * that of all threads of the process, so other work on the machine hardly counts. The mean counts the steps
 * that make lists or collect garbage; a median would hide them. Half of `seconds` is spent on steps that are
 * not measured, a third on those that are, and the rest on counting bytes; each makes a few steps at least.
 * For obstacles `count` is their number.
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
  'rocks: yuka': yukaRocks,
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
  'starlings of the gallery': (count) => {
    const scene = new Murmuration({ count })
    return () => scene.step(1 / 60)
  },
  ...USES,
  ...BODY_MAKERS,
  ...PATH_MAKERS,
  'Vector3 objects': vector3Flock,
}

/** Steps that are made at least: to warm up, to be measured, and to count bytes. */
const LEAST = { warming: 3, measured: 4, counted: 2 }
/** Code is compiled, and a scene is under way, after this number of steps at most. */
const WARM_STEPS = 1500
/** A step of a thousand ships takes so long that the time to warm up ends before their code is compiled. */
const SHIPS_WARM_STEPS = 150

const [name = '', count = '', k = '', start = '', seconds = '3'] = process.argv.slice(2)
const make = MAKERS[name]
if (make === undefined)
  throw new RangeError(`implementation: got '${name}', must be one of ${Object.keys(MAKERS).join(', ')}`)
const step = make(Number(count), Number(k), start === 'flow')
const agents = name.startsWith('avoid')
  ? AVOID_3D.pilots
  : name.startsWith('rocks')
    ? ROCK_SHIPS
    : Number(count)
/** CPU time of the parts, ms. */
const all = 1000 * Number(seconds)
const [warming, measuring, counting] = [all / 2, all / 3, all / 6]

/** CPU time of this process, ms. */
function cpu(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const before = cpu()
step()
const first = cpu() - before
const warmSteps = name.startsWith('crossing ships') ? SHIPS_WARM_STEPS : LEAST.warming
for (let i = 0; i < warmSteps || (i < WARM_STEPS && cpu() - before < warming); i++) step()
const times = new Float64Array(1e6)
let steps = 0
// short steps are made sixteen at a time, because to read the CPU time takes some, too
const atOnce = measuring < 1000 * first ? 1 : 16
const begin = cpu()
do {
  for (let i = 0; i < atOnce; i++) {
    const since = performance.now()
    step()
    times[steps++] = performance.now() - since
  }
} while (steps < LEAST.measured || (cpu() - begin < measuring && steps + atOnce < times.length))
const mean = (cpu() - begin) / steps
const sorted = times.subarray(0, steps).sort()
const longest = sorted[Math.ceil(0.99 * steps) - 1]!
const median = sorted[Math.floor(steps / 2)]!
const counted = Math.min(20, Math.max(LEAST.counted, Math.floor(counting / mean)))
const allocated = Math.max(0, measureHeap(step, counted).allocated - measuringOverhead(counted))
const micros = (ms: number): string => ((ms * 1000) / agents).toFixed(4)
console.log(micros(mean), micros(longest), micros(first), (allocated / agents).toFixed(1), micros(median))
