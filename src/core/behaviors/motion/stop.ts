import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../../types.js'
import { arriveAt } from '../../control/arrive-at.js'
import { drive, servoTime, topSpeed } from '../../control/drive.js'
import { reportArrived } from '../../control/wish.js'
import { Memory } from '../../control/memory.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { addScaled, distance, load, save, vec3, ZERO } from '../../math/vec3.js'

export interface StopOptions extends Options, OptionsOf<typeof Stop.options> {}
export interface Stop extends FieldsOf<typeof Stop.options> {}

/**
 * It rests at this speed, in radii per second, and moves again at twice that. With `hold` it rests within
 * this distance of its place, in radii. Those of `Arrive`. Chosen by hand.
 */
const REST_SHARE = 0.1

// stored for each agent: the step in which it was steered last, whether it rests, whether it has a place to
// hold, and that place
const TICK = 0
const RESTS = 1
const HAS_PLACE = 2
const PLACE = 3
const WIDTH = 6

const place = vec3()

/**
 * Comes to rest as fast as the vehicle can, wherever that is: for idle, stunned or waiting agents. Emits
 * `arrive` when it rests, and `leave` when it is moved. An agent that was not steered by it in the last step
 * starts afresh.
 */
export class Stop extends WithDefaults<StopOptions> implements Behavior {
  static readonly type: string = 'Stop'
  static readonly options = {
    /**
     * Whether it holds the place where it has come to rest, and returns there when it is pushed away. False:
     * it brakes again, and stays where that ends. A vehicle that rolls only brakes. Default false.
     */
    hold: { kind: 'boolean', default: false },
  } as const satisfies AnyTable
  private readonly memory = new Memory(WIDTH, [PLACE])
  readonly state: SnapshotState = [this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory } = this
    const at = memory.at(agent)
    const { data, fresh } = memory
    const calm = REST_SHARE * agent.radius
    const missed = step.tick - data[at + TICK]!
    if (fresh || missed < 0 || missed > 1) data.fill(0, at, at + WIDTH)
    data[at + TICK] = step.tick
    const rolls = agent.wish !== null && agent.wish.vehicle !== null
    if (!this.hold || rolls) data[at + HAS_PLACE] = 0
    else if (data[at + HAS_PLACE] === 0 && agent.speed <= calm) {
      data[at + HAS_PLACE] = 1
      // the rest of its way at this speed
      save(addScaled(place, agent.position, agent.velocity, servoTime(agent, step)), data, at + PLACE)
    }
    const holds = data[at + HAS_PLACE] === 1
    load(place, data, at + PLACE)
    const away = holds ? distance(place, agent.position) : 0
    const limit = data[at + RESTS] === 1 ? 2 * calm : calm
    const rests = agent.speed <= limit && away <= limit ? 1 : 0
    if (rests !== data[at + RESTS]) step.emit(agent, rests === 1 ? 'arrive' : 'leave', this)
    data[at + RESTS] = rests
    if (rests === 1) reportArrived(agent)
    if (holds) arriveAt(agent, step, place, ZERO, ZERO, topSpeed(agent), out.force)
    else drive(agent, step, ZERO, out.force)
  }
}
