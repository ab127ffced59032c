/** Docking, landing and refuelling: ports and the behaviours that reach them. */

export { Dock, type DockOptions, type DockStage } from './behaviors/docking/dock.js'
export { Land, type LandOptions, type LandStage } from './behaviors/docking/land.js'
export { bodyAxes, portAxes, type ModelAxes } from './behaviors/docking/port-axes.js'
export { Port, type PortOptions } from './behaviors/docking/port.js'
export { Refuel, type RefuelOptions, type RefuelStage } from './behaviors/docking/refuel.js'
export { Undock, type UndockOptions } from './behaviors/docking/undock.js'
