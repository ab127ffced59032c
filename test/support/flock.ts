import { Flock, type FlockOptions, type SteeringWorld } from 'three-steering'

/** Makes a flock and adds it to a world. */
export function addFlock(world: SteeringWorld, options: FlockOptions): Flock {
  const flock = new Flock(options)
  world.add(flock)
  return flock
}
