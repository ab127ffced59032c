import { afterEach, expect, it, vi } from 'vitest'
import { AvoidAgents, AvoidObstacles, Contain, ReciprocalAvoidance } from 'three-steering'
import { avoidingAll } from '../rigs/course-behavior.js'
import { COURSES } from '../rigs/courses.js'
import { FLOCK_SCENES } from '../rigs/flock-scenes.js'
import { flyCourse } from '../rigs/fly-course.js'
import { flyFlock } from '../rigs/fly-flock.js'
import { flyWalkers, ownCrowd } from '../rigs/fly-walkers.js'
import { TRAFFIC } from '../rigs/traffic.js'
import { WALKER_SCENES } from '../rigs/walker-scenes.js'

/** Time (s) within which someone touches something, if nobody avoids it. */
const LIMIT = 10

// some courses begin with a touch, or touch late, and some flocks keep apart by their rules
const { inside: _, insideSolid: __, thousand: ___, ...OPEN } = COURSES
const { boxFlock, splitFlock } = FLOCK_SCENES

/** Contacts in a scene with this seed. */
type Touches = (seed: number) => number

function all<T>(scenes: Readonly<Record<string, T>>, touches: (scene: T, seed: number) => number) {
  return Object.entries(scenes).map(
    ([name, scene]) => [name, (seed: number) => touches(scene, seed)] as [string, Touches],
  )
}

const SCENES = [
  ...all(OPEN, (make, seed) => {
    const { flights } = flyCourse({ ...make(seed), limit: LIMIT })
    return flights.reduce((sum, { contacts, exits }) => sum + contacts + exits, 0)
  }),
  ...all(TRAFFIC, (make: (seed: number, count?: number) => ReturnType<typeof TRAFFIC.ring>, seed) => {
    const course = { ...make(seed, make === TRAFFIC.antipodes ? 24 : undefined), limit: LIMIT }
    return flyCourse(course, { makeBehavior: avoidingAll, meet: true }).encounters!.contacts
  }),
  ...all({ boxFlock, splitFlock }, (make, seed) => {
    const { contacts, hits } = flyFlock({ ...make(seed, 24), limit: LIMIT })
    return contacts + hits
  }),
  ...all(WALKER_SCENES, (make, seed) => {
    const { pairContacts, wallContacts } = flyWalkers(make(seed), seed, ownCrowd(), LIMIT)
    return pairContacts + wallContacts
  }),
]

afterEach(() => void vi.restoreAllMocks())

// A scene in which nothing is in the way shows nothing.
it.each(SCENES)('%s: who does not avoid touches something', (_, touches) => {
  for (const { prototype } of [AvoidAgents, AvoidObstacles, Contain, ReciprocalAvoidance])
    vi.spyOn(prototype, 'constrain').mockReturnValue()
  expect([0, 1, 2, 3].some((seed) => touches(seed) > 0)).toBe(true)
})
