export {
  cannonDriver,
  rapierDriver,
  type DriverOptions,
  type RapierDriver,
  type SteeringDriver,
} from './adapters/react/driver.js'
export { useExplanation, type Steered, type UseExplanationOptions } from './adapters/react/explanation.js'
export {
  Flock,
  useFlock,
  type FlockHandle,
  type FlockProps,
  type UseFlockOptions,
} from './adapters/react/flock.js'
export type { SteeringCallbacks } from './adapters/react/handle.js'
export { SteeringHelper, type SteeringHelperProps } from './adapters/react/helper.js'
export { useSteeringWorld } from './adapters/react/host.js'
export { Steering, type SteeringProps } from './adapters/react/steering.js'
export {
  useSteering,
  type BodyOrRef,
  type SteeringHandle,
  type UseSteeringOptions,
} from './adapters/react/use-steering.js'
