import { type Body, Vec3 } from 'cannon-es'
import { angleBetween } from './passage.js'
import { inner, minus, plus } from './vectors.js'

/** Measurements of a touchdown. */
export interface Touch {
  readonly lander: number
  readonly pad: number
  /** Speed towards the pad and along it (m/s), distance from the centre of the pad (m), and tilt (rad). */
  readonly closing: number
  readonly sliding: number
  readonly aside: number
  readonly tilt: number
}

/** Measures a touchdown of a `sole` on a pad of a rotating asteroid whose centre is at rest. */
export function touchOf(
  body: Body,
  rock: Body,
  sole: Vec3,
  { position, up }: { readonly position: Vec3; readonly up: Vec3 },
  ids: Pick<Touch, 'lander' | 'pad' | 'closing'>,
): Touch {
  const offset = minus(sole, position)
  const slip = minus(body.getVelocityAtWorldPoint(sole, new Vec3()), rock.angularVelocity.cross(sole))
  const along = plus(slip, up, -inner(slip, up))
  const aside = plus(offset, up, -inner(offset, up))
  return {
    ...ids,
    sliding: Math.hypot(along.x, along.y, along.z),
    aside: Math.hypot(aside.x, aside.y, aside.z),
    tilt: angleBetween(body.quaternion.vmult(new Vec3(0, 1, 0)), up),
  }
}
