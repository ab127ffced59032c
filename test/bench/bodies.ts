import { Body, NaiveBroadphase, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es'
import { seeded } from 'three-steering/authoring'
import { tuneCannon } from 'three-steering/cannon'

/** Room for each body, as in the flock with 7 neighbours (m³). */
const ROOM = 436

/** Balls of 0.5 m radius that fly freely through a cube and hardly meet, as bodies of cannon-es. */
function freeBodies(count: number, tune: (world: World) => void): () => void {
  const world = new World()
  const random = seeded(5)
  const anywhere = (size: number): Vec3 => new Vec3(size * random(), size * random(), size * random())
  const side = Math.cbrt(ROOM * count)
  for (let i = 0; i < count; i++) {
    const [position, velocity] = [anywhere(side), anywhere(8).vsub(new Vec3(4, 4, 4))]
    world.addBody(new Body({ mass: 1, shape: new Sphere(0.5), position, velocity }))
  }
  tune(world)
  return () => world.step(1 / 60)
}

export const BODY_MAKERS: Record<string, (count: number) => () => void> = {
  'bodies: tuned': (count) => freeBodies(count, tuneCannon),
  'bodies: SAP': (count) =>
    freeBodies(count, (world) => {
      const broadphase = new SAPBroadphase(world)
      broadphase.autoDetectAxis()
      world.broadphase = broadphase
    }),
  'bodies: naive': (count) => freeBodies(count, (world) => void (world.broadphase = new NaiveBroadphase())),
}
