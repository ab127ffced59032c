/** Tests for a door of your own to a physics engine: arrival, gravity, damping, sleep, removal. @module */

export {
  doorTests,
  type DoorFeature,
  type DoorTest,
  type DoorUnderTest,
  type DoorWorld,
  type TestBody,
  type TestBodyState,
  type TestSolid,
} from '../extras/door-tests/door-tests.js'
