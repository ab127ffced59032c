import { describe, expect, it } from 'vitest'
import { FollowPath, Path, SteeringController, SteeringWorld, type FollowPathOptions } from 'three-steering'

const TRAITS = { mass: 1, maxSpeed: 8, maxForce: 40, radius: 0.5 }

interface Flight {
  readonly pilot: SteeringController
  readonly world: SteeringWorld
  readonly follow: FollowPath
}

function start(options: FollowPathOptions, state = {}): Flight {
  const world = new SteeringWorld()
  const follow = new FollowPath(options)
  const pilot = new SteeringController(null, { ...TRAITS, behavior: follow, ...state })
  world.add(pilot)
  return { pilot, world, follow }
}

function run({ world }: Flight, seconds: number, after: () => void = () => undefined): void {
  for (let i = 0; i < 60 * seconds; i++) {
    world.step(1 / 60)
    after()
  }
}

/** Around a rectangle, once, climbing. */
const LINE = new Path({
  points: [
    { x: 0, y: 0, z: 0 },
    { x: 40, y: 4, z: 0 },
    { x: 40, y: 8, z: 40 },
    { x: 0, y: 12, z: 40 },
  ],
})

describe('reprojection of the future position', () => {
  it('starts from rest, turns round when it faces the wrong way, and arrives at the end', () => {
    for (const velocity of [
      { x: 0, y: 0, z: 0 },
      { x: -8, y: 0, z: 0 },
    ]) {
      const flight = start(
        { path: LINE, technique: 'future-reprojection' },
        { position: { x: 2, y: 1, z: 1 }, velocity },
      )
      let arrived = false
      let farthest = 0
      flight.pilot.addEventListener('arrive', () => (arrived = true))
      run(flight, 40, () => {
        const u = flight.follow.stationOf(flight.pilot)
        const at = LINE.pointAt({ x: 0, y: 0, z: 0 }, u)
        const { x, y, z } = flight.pilot.position
        if (u > 10) farthest = Math.max(farthest, Math.hypot(x - at.x, y - at.y, z - at.z))
      })
      expect(arrived).toBe(true)
      expect(farthest).toBeLessThan(2.5)
    }
  })
})

describe('the start of a path', () => {
  const near = { x: 40, y: 6, z: 20 }
  it('is the nearest point by default', () => {
    const flight = start({ path: LINE }, { position: near })
    run(flight, 1)
    expect(flight.follow.stationOf(flight.pilot)).toBeGreaterThan(40)
  })

  it.each(['reprojection', 'future-reprojection', 'dog-on-a-string', 'grappling-hooks'] as const)(
    'is the first point with `first`, by %s, and the whole path is flown from there',
    (technique) => {
      const flight = start({ path: LINE, technique, start: 'first' }, { position: near })
      let least = Infinity
      let arrived = 0
      flight.pilot.addEventListener('arrive', () => arrived++)
      run(flight, 60, () => {
        const { x, y, z } = flight.pilot.position
        if (arrived === 0) least = Math.min(least, Math.hypot(x, y, z))
      })
      expect(least).toBeLessThan(1)
      expect(arrived).toBe(1)
    },
  )
})

describe('a waypoint of a group', () => {
  it('refuses what is no list of points', () => {
    const wrong = (group: unknown) => () => new FollowPath({ path: LINE, group } as FollowPathOptions)
    expect(wrong({})).toThrow('FollowPath.group: got { }, must be an array')
    expect(wrong([3])).toThrow('FollowPath.group[0]: got 3')
  })
})
