import { describe, it } from 'vitest'
import { doorTests } from 'three-steering/door-tests'
import { openDoor } from './door.js'
import { cannonBehind } from './door-under-test.js'

const engine = cannonBehind(openDoor, 'my door to cannon-es')
describe(engine.name, () => {
  for (const { name, run } of doorTests(engine)) it(name, run)
})
