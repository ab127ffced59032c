import type { Agent, SnapshotState, Step, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import { Footing } from '../../solver/footing.js'
import { SolverMemory } from '../../solver/velocity-solver.js'
import { requireObstacles } from './surroundings.js'
import { WallCap, wallClearance } from './wall-cap.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface ContainOptions extends Options, OptionsOf<typeof Contain.options> {}
export interface Contain extends FieldsOf<typeof Contain.options> {}

/**
 * Keeps the agent inside of bounds, at any speed. Each outward component of the wanted velocity is limited to
 * the speed from which the agent can still stop before the wall, √(2·a·d), so that it slides along walls and
 * neither creeps nor oscillates (in place of the predicted point of Green, Avoid Walls and Containment, and
 * Reynolds 1999, whose look-ahead shrinks with the speed). Within `within`, a wish without a goal, such as
 * `Wander`, is turned away from the wall in time, so that no agent stops in a corner.
 */
export class Contain extends WithOptions<ContainOptions> implements Constraint {
  static readonly type: string = 'Contain'
  static readonly options = {
    /**
     * Bounds that contain the agents: hollow shapes to stay inside of (a room, a tank, a tube), half-spaces
     * to stay above. A set, which may change at any time, or a list to make one of.
     */
    bounds: { kind: 'instance', required: true, check: requireObstacles },
    /** Distance (m) kept between the agent's ball and the walls, ≥ 0. Default 2 % of the agent's radius. */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable
  private readonly wallCap = new WallCap(new Footing())
  private readonly solverMemory = new SolverMemory()
  readonly state: SnapshotState = [this.solverMemory]

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { bounds, clearance } = this
    const { footing } = this.wallCap
    bounds.refreshFor(step)
    const hull = agent.radius + wallClearance(agent, clearance)
    footing.begin(agent, step, bounds, hull, undefined)
    limits.addBounds?.(bounds, hull, footing)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.wallCap.capAll(agent, step, this.bounds, undefined, this.clearance, limits)
  }

  /** As a plain behaviour: writes the force that keeps the present velocity inside. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }
}
