import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, it } from 'vitest'
import { doorTests } from 'three-steering/door-tests'
import { cannonEngine, noEngine, rapierEngine } from './doors.js'

beforeAll(() => RAPIER.init())

describe.each([noEngine, cannonEngine, rapierEngine])('a world $name', (door) => {
  for (const { name, run } of doorTests(door)) it(name, run)
})
