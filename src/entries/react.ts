/**
 * Components and hooks for React Three Fiber: `<Steering>`, `useSteering`, `<Flock>`, and helpers.
 * @module
 */

export {
  cannonDriver,
  rapierDriver,
  type DriverOptions,
  type RapierDriver,
  type SteeringDriver,
} from '../extras/react/driver.js'
export { useExplanation, type Steered, type UseExplanationOptions } from '../extras/react/explanation.js'
export {
  Flock,
  useFlock,
  type FlockHandle,
  type FlockProps,
  type UseFlockOptions,
} from '../extras/react/flock.js'
export type { SteeringCallbacks } from '../extras/react/handle.js'
export { SteeringHelper, type SteeringHelperProps } from '../extras/react/helper.js'
export { useSteeringWorld } from '../extras/react/host.js'
export { Steering, type SteeringProps } from '../extras/react/steering.js'
export {
  useSteering,
  type BodyOrRef,
  type SteeringHandle,
  type UseSteeringOptions,
} from '../extras/react/use-steering.js'
