import { Box, Sphere, Vec3, World, type Shape } from 'cannon-es'
import { expect, it } from 'vitest'
import { Obstacles } from 'three-steering'
import { buildStation } from '../../demo/scenarios/spaceport.js'
import { addWheels } from '../../demo/scenarios/station-wheels.js'

const STEPS = Array.from({ length: 9 }, (_, k) => k / 4 - 1)

/** Points on the surface of a shape, in its axes; corners and edges of a box among them. */
function surfaceOf(shape: Shape): Vec3[] {
  const cube = STEPS.flatMap((x) => STEPS.flatMap((y) => STEPS.map((z) => new Vec3(x, y, z))))
  const skin = cube.filter(({ x, y, z }) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 1)
  if (shape instanceof Sphere) return skin.map((point) => point.unit().scale(shape.radius))
  if (shape instanceof Box) return skin.map((point) => point.vmul(shape.halfExtents))
  throw new TypeError('a shape of another kind')
}

it('the obstacles of wheels and spindle hold all that is solid of them', () => {
  // a drone kept clear of the obstacles, and touched a corner of a wheel that stuck out of them by 0.8 m
  const obstacles = new Obstacles()
  const bodies = addWheels(new World(), buildStation(), obstacles)
  obstacles.refresh()
  const normal = new Vec3()
  const depths = bodies.flatMap((body) =>
    body.shapes.flatMap((shape, k) =>
      surfaceOf(shape).map((point) => {
        const inBody = body.shapeOrientations[k]!.vmult(point).vadd(body.shapeOffsets[k]!)
        return obstacles.distance(body.pointToWorldFrame(inBody), normal)
      }),
    ),
  )
  expect(depths.length).toBeGreaterThan(10_000)
  expect(Math.max(...depths)).toBeLessThan(0)
})
