import { expect, it } from 'vitest'
import { BoxShape, Contain, HollowShape } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { standIn, stepOf, wrench, type StandIn } from '../support/stand-in.js'
import type { Behavior, Vec3Like } from 'three-steering'

// Used alone, Contain kept the side that it had chosen for the previous agent. So in a crowd the agents
// influenced each other.

const room = (): Behavior =>
  new Contain({ bounds: [{ shape: new HollowShape(new BoxShape({ x: 9, y: 9, z: 9 })) }] })

function force(behavior: Behavior, agent: StandIn): Vec3Like {
  const out = wrench()
  behavior.steer(agent, stepOf(), out)
  return out.force
}

it('Contain shared by several agents gives each agent the force that it gets alone', () => {
  const random = seeded(3)
  const any = (size: number): Vec3Like => ({
    x: size * (random() - 0.5),
    y: size * (random() - 0.5),
    z: size * (random() - 0.5),
  })
  const shared = room()
  for (let i = 0; i < 300; i++) {
    const others = [1, 2, 3].map((id) => standIn({ id, slot: id, position: any(17), velocity: any(20) }))
    const own = room()
    for (let again = 0; again < 2; again++) {
      const before = others[0]!
      force(shared, before)
      const me = standIn({ id: 10 + i, slot: 10 + i, position: any(17), velocity: any(20) })
      expect(force(shared, me)).toEqual(force(own, me))
    }
  }
})
