import type { Vec3Like } from '../../types.js'
import type { Port } from './port.js'

/** What a ship at a port is doing. */
export type DockStage = 'queue' | 'approach' | 'align' | 'final' | 'latched' | 'abort'

export interface DockOptions {
  /** Where to dock. */
  port?: Port
  /** Where to dock, of several: the one that is free and near, else the one with the shortest queue. */
  ports?: readonly Port[]
  /** Docking point of the ship, m, in its own steering frame: x ahead, y up, z to starboard. Default its nose: `radius` ahead. */
  probe?: Vec3Like
  /** Direction out of the ship at the docking point, same frame. Default that of `probe`. */
  axis?: Vec3Like
  /** Direction of the ship, same frame, that points along the port's `up` when docked. Default its top, or its nose where that is the axis. */
  top?: Vec3Like
  /** Speed at the touch, m/s, > 0. Default 0.25. */
  closingSpeed?: number
  /** Speed at the mouth of the corridor, m/s, > 0. Slower where the brakes cannot take it. Default 3.5. */
  entrySpeed?: number
  /** Where it waits until all is well, m from the port, ≥ 0. Default 2. */
  holdDistance?: number
  /** Latches within this distance of the port, m, > 0: along the axis, and this … Default 0.02. */
  reach?: number
  /** … across, m, > 0, default 0.02; */
  tolerance?: number
  /** … this attitude, roll included, rad, > 0, default 0.01; */
  angleTolerance?: number
  /** … this speed across and beyond the closing speed, m/s, > 0, default 0.05; */
  speedTolerance?: number
  /** … this spin relative to the port, rad/s, > 0, default 0.02; */
  spinTolerance?: number
  /** … all of it for this long, s, ≥ 0. Default 0.03. */
  dwell?: number
  /** Whether it holds its pose by force and torque when latched; `false` when a constraint of the engine does. Default true. */
  hold?: boolean
  /** Gives up this long after its turn has come, s, > 0: lets others in, and queues again. Default 300. */
  timeout?: number
}
