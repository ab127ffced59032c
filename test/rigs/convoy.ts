import {
  AvoidObstacles,
  FollowPath,
  Hover,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { columnPattern, Formation, KeepSlot, wedgePattern } from 'three-steering/formation'
import { norm } from '../laws/kit.js'

const v = (x = 0, y = 0, z = 0) => ({ x, y, z })

/** Ships in formation on a closed path, with twelve rocks on the path or beside it. */
export interface Convoy {
  readonly world: SteeringWorld
  readonly obstacles: Obstacles
  readonly ships: readonly SteeringController[]
  readonly lead: FollowPath
}

export function makeConvoy(seed: number, count: number, isColumn: boolean): Convoy {
  const random = seeded(9000 + seed)
  const spread = (size: number): number => size * (2 * random() - 1)
  const corners = 7
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners
    const off = 150 + spread(35)
    return v(off * Math.cos(angle), spread(25), off * Math.sin(angle))
  })
  const path = new Path({ points, ends: 'closed' })
  const rocks = Array.from({ length: 12 }, (_, i) => {
    const at = path.pointAt(v(), path.length * (0.08 + (0.84 * (i + 0.7 * random())) / 12))
    const off = v(spread(1), spread(1), spread(1))
    const radius = 2 + 8 * random()
    const k = (radius * (0.4 + random())) / norm(off)
    return { shape: new SphereShape(radius), at: v(at.x + k * off.x, at.y + k * off.y, at.z + k * off.z) }
  })
  const obstacles = new Obstacles(rocks)
  const world = new SteeringWorld()
  const formation = new Formation({ spacing: 5, pattern: isColumn ? columnPattern : wedgePattern })
  const lead = new FollowPath({ path, speed: 8 })
  const ships = Array.from({ length: count }, (_, i) => {
    const ship = new SteeringController(null, {
      behavior: within(
        [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 20 })],
        new KeepSlot({ formation, ...(i === 0 && { leadBehavior: lead }) }),
      ),
      locomotion: new Hover(),
      position: path.pointAt(v(), path.length - 5 * i),
      maxSpeed: 11,
      maxForce: 24,
      mass: 2,
      radius: 0.8,
    })
    world.add(ship)
    return ship
  })
  return { world, obstacles, ships, lead }
}
