import type { QuatLike, Vec3Like } from '../../core/types.js'
import { multiply, quat } from '../../core/math/quat.js'
import { requireVector } from '../../core/math/require.js'
import { copy } from '../../core/math/vec3.js'
import { PathTube } from '../../blocks/paths/path-tube.js'
import { BoxShape } from '../../core/obstacles/box.js'
import { CapsuleShape } from '../../core/obstacles/capsule.js'
import { CylinderShape } from '../../core/obstacles/cylinder.js'
import { HalfSpaceShape } from '../../core/obstacles/half-space.js'
import { HollowShape } from '../../core/obstacles/hollow.js'
import { HullShape, type HullOptions } from '../../blocks/shapes/hull.js'
import { Obstacle, type ObstacleOptions } from '../../core/obstacles/obstacle.js'
import { Obstacles } from '../../core/obstacles/obstacles.js'
import { PrismShape } from '../../blocks/shapes/prism.js'
import { SphereShape } from '../../core/obstacles/sphere.js'
import type { AnyTable } from '../../core/math/options.js'
import { presetType, type PresetType } from './preset-type.js'

/** Obstacles and their shapes. The object that an obstacle follows, and its owner, are saved by name. */
export const OBSTACLE_TYPES: readonly PresetType[] = [
  presetType('Obstacles', Obstacles, null, {
    read: (set) => ({ obstacles: [...set] }),
    make: ({ obstacles = [] }: { obstacles?: Obstacle[] }) => new Obstacles(obstacles),
  }),
  presetType('Obstacle', Obstacle, null, { read: readObstacle, make: makeObstacle }),
  presetType('BoxShape', BoxShape, null, { make: inOrder(BoxShape) }),
  presetType('CapsuleShape', CapsuleShape, null, { make: inOrder(CapsuleShape) }),
  presetType('CylinderShape', CylinderShape, null, { make: inOrder(CylinderShape) }),
  presetType('HalfSpaceShape', HalfSpaceShape, null, {
    make({ normal }: { normal: Vec3Like }) {
      requireVector('HalfSpaceShape.normal', normal)
      const shape = new HalfSpaceShape(normal)
      // the saved normal has unit length; normalizing it again could change the last digit
      copy(shape.normal, normal)
      return shape
    },
  }),
  presetType('HollowShape', HollowShape, null, { make: inOrder(HollowShape) }),
  presetType('HullShape', HullShape, null, {
    read: readHull,
    make: (options: HullOptions) => new HullShape(options),
  }),
  presetType('PathTube', PathTube, null, { make: inOrder(PathTube) }),
  presetType('PrismShape', PrismShape, null, { make: inOrder(PrismShape) }),
  presetType('SphereShape', SphereShape, null, { make: inOrder(SphereShape) }),
]

/** Makes an object by a constructor that takes the options of its table one after the other. */
function inOrder<T>(type: (new (...options: never[]) => T) & { readonly options: AnyTable }) {
  return (options: Readonly<Record<string, unknown>>) =>
    new type(...Object.keys(type.options).map((name) => options[name] as never))
}

function readObstacle({ shape, followed, isPlain, offset, origin, owner, turn }: Obstacle) {
  return {
    shape,
    at: followed ?? origin,
    offset: isPlain ? undefined : offset,
    turn: isPlain ? undefined : turn,
    owner: owner === followed ? undefined : owner,
  }
}

const upright: QuatLike = quat()

/** Makes an obstacle with the saved unit turn: normalizing again could change the last digit. */
function makeObstacle(options: ObstacleOptions): Obstacle {
  const obstacle = new Obstacle(options)
  if (options.turn === undefined) return obstacle
  Object.assign(obstacle.turn, options.turn)
  if (obstacle.followed === null) multiply(obstacle.quaternion, upright, obstacle.turn)
  else obstacle.read()
  return obstacle
}

function readHull({ body, faces }: HullShape): HullOptions {
  const numbers = Array.from(body.vertices)
  const vertices = []
  for (let i = 0; i < numbers.length; i += 3)
    vertices.push({ x: numbers[i]!, y: numbers[i + 1]!, z: numbers[i + 2]! })
  return { vertices, faces }
}
