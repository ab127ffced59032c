import type { Snapshot } from '../types.js'
import { EventQueue } from '../engine/event-queue.js'
import type { Clock } from '../engine/clock.js'
import { takeSnapshot, type Inside, type SnapshotOptions } from './snapshot.js'
import { putBack } from './snapshot-restore.js'

/** A world in time, which can be written down and put back to where it was. */
export abstract class Restorable extends EventQueue {
  protected abstract readonly clock: Clock

  protected abstract inside(): Inside

  /** Simulated time, s. */
  get time(): number {
    return this.clock.now.time
  }
  /** Steps made. */
  get tick(): number {
    return this.clock.now.tick
  }

  /**
   * All of the world that counts for its further course, as plain data that survives `JSON.stringify`: agents with their limits and streams, what
   * behaviours remember, who is near whom, time. Put back by `restore`, here (a rollback) or in a world that the same code has built (a page that was
   * loaded again), it goes on with the same bits, in the same engine for JavaScript.
   *
   * Not in it is what is yours: targets, meshes, moving obstacles, the options of behaviours and locomotions (but for `enabled`, weights and
   * probabilities of parts), and the bodies of a physics engine. Save these yourself, and put them back before the next step.
   * @throws Error inside a step, or after dispose. TypeError for a tree of `behaviors` that is none, or is named twice.
   */
  snapshot(options: SnapshotOptions = {}): Snapshot {
    return takeSnapshot(this.idle('snapshot'), options)
  }

  /**
   * Puts the world back to where it was when `snapshot` was taken. Controllers and flocks are told apart by the order in which they joined, and by
   * name; the same controllers must be here, and the same flocks, which are brought to size where their members have no bodies. All agents have new
   * generations. Views do not sweep; events are not told again, and where a listener puts it back, those of the same step that come after are not told
   * at all. What `explain` has returned goes on with the same agent, unless that had gone in a step since.
   * @throws Error inside a step, or after dispose. TypeError for what is no snapshot; RangeError, naming what differs, for one of another version or
   * world, of other controllers and flocks, or of other trees of behaviours. Then nothing has changed.
   */
  restore(snapshot: Snapshot, options: SnapshotOptions = {}): void {
    const inside = this.idle('restore')
    putBack(inside, snapshot, options)
    this.discardPending(inside.roster.agents)
  }

  private idle(what: string): Inside {
    const inside = this.inside()
    if (!inside.roster.isIdle) throw new Error(`${what}: called inside a step of the same world`)
    return inside
  }
}
