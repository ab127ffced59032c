export {
  doorTests,
  type DoorFeature,
  type DoorTest,
  type DoorUnderTest,
  type DoorWorld,
  type TestBody,
  type TestBodyState,
  type TestSolid,
} from './door-tests/door-tests.js'
