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
