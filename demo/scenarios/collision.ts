import type { Body, Vec3 } from 'cannon-es'

/** Data of a cannon-es `collide` event, whose own type is `any`. */
export interface Collision {
  readonly body: Body
  readonly contact: {
    readonly bi: Body
    readonly ri: Vec3
    getImpactVelocityAlongNormal(): number
  }
}
