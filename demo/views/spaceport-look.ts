import { Color, type Vector3 } from 'three'
import { MINE_RADIUS } from '../scenarios/spaceport.js'
import { PLANET_SKIN } from '../sky/space.js'
import type { BoulderLook } from './boulders.js'

/** The planet below a spaceport. Its axis is tilted, since the camera looks down on it. */
export const POLAR_SKIN = `${PLANET_SKIN.replace('paintSky', 'paintSkin')}
vec3 paintSky(vec3 d) { return paintSkin(vec3(d.x, d.z, -d.y)); }`

/** Radius of the drawn mine. Its bumps exceed the collision sphere and its hollows lie inside (m). */
export const MINE_SIZE = 1.1 * MINE_RADIUS

/** Rocks in the light of the sun and of the planet. */
export const rocksUnder = (sun: Vector3): BoulderLook => ({
  sun,
  sunColor: [3.3, 2.9, 2.45],
  dark: [0.05, 0.044, 0.042],
  pale: [0.24, 0.205, 0.185],
  sky: [0.03, 0.04, 0.07],
  bounce: [0.03, 0.06, 0.12],
})

/** Gives the ships of a fleet these colours in turn. */
export const inTurn =
  (colors: readonly string[]) =>
  (index: number): Color =>
    new Color(colors[index % colors.length])
