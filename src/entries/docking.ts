/** Docking, landing and refuelling: ports, queues before them, and the behaviours that reach them. @module */

export { Dock, type DockOptions, type DockStage } from '../blocks/docking/dock.js'
export { Land, type LandOptions, type LandStage } from '../blocks/docking/land.js'
export { bodyAxes, portAxes, type ModelAxes } from '../blocks/docking/port-axes.js'
export { Port, type PortOptions } from '../blocks/docking/port.js'
export { Refuel, type RefuelOptions, type RefuelStage } from '../blocks/docking/refuel.js'
export { Undock, type UndockOptions, type UndockStage } from '../blocks/docking/undock.js'
