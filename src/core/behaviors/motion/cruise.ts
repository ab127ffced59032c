import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { drive, topSpeed } from '../../control/drive.js'
import { scale, vec3 } from '../../math/vec3.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface CruiseOptions extends Options, OptionsOf<typeof Cruise.options> {}
export interface Cruise extends FieldsOf<typeof Cruise.options> {}

const wanted = vec3()

/**
 * Keeps up the agent's speed on its present course. It asks for force along the course only, so it does not
 * turn the agent. From rest the agent flies where its nose points. A flock needs it: alignment alone averages
 * velocities, and a flock that starts in disorder would come to rest (the "cruising speed" of Reynolds,
 * Flocks, Herds, and Schools, 1987; self-propulsion in Vicsek et al. 1995).
 */
export class Cruise extends WithDefaults<CruiseOptions> implements Behavior {
  static readonly type: string = 'Cruise'
  static readonly options = {
    /** Share of `maxSpeed` that is kept, in (0, 1]. Default 1. */
    speedShare: { kind: 'number', above: 0, atMost: 1, default: 1 },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    drive(agent, step, scale(wanted, agent.course.x, this.speedShare * topSpeed(agent)), out.force)
  }
}
