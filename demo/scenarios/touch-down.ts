import { type Body, Vec3 } from 'cannon-es'
import { angleBetween } from './passage.js'
import { inner, minus, plus } from './vectors.js'

/** How a lander touched down. */
export interface Touch {
  readonly lander: number
  readonly pad: number
  /** Speed towards the pad and along it, m/s; off the middle of the pad, m; off its attitude, rad. */
  readonly closing: number
  readonly sliding: number
  readonly aside: number
  readonly tilt: number
}

/** Measures a touch of a `sole` on a place of a turning rock, at rest about its middle. */
export function touchOf(
  body: Body,
  rock: Body,
  sole: Vec3,
  { position, up }: { readonly position: Vec3; readonly up: Vec3 },
  who: Pick<Touch, 'lander' | 'pad' | 'closing'>,
): Touch {
  const off = minus(sole, position)
  const slip = minus(body.getVelocityAtWorldPoint(sole, new Vec3()), rock.angularVelocity.cross(sole))
  const along = plus(slip, up, -inner(slip, up))
  const aside = plus(off, up, -inner(off, up))
  return {
    ...who,
    sliding: Math.hypot(along.x, along.y, along.z),
    aside: Math.hypot(aside.x, aside.y, aside.z),
    tilt: angleBetween(body.quaternion.vmult(new Vec3(0, 1, 0)), up),
  }
}
