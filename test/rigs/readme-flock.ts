import { blend, Flight, Flock, Flocking, SteeringWorld, Tether, Wander } from 'three-steering'

/** The flock of the README with any number of birds: its roost grows with them, at constant density. */
export function readmeFlock(count: number): SteeringWorld {
  const world = new SteeringWorld({ seed: 7 })
  world.add(
    new Flock({
      count,
      maxSpeed: 12,
      maxForce: 25,
      fieldOfView: 1.5 * Math.PI,
      maxNeighbors: 7,
      locomotion: new Flight({ minSpeed: 5 }),
      behavior: blend([
        new Flocking({
          separation: { neighborDistance: 3, weight: 1.5 },
          alignment: { neighborDistance: 8, weight: 1 },
          cohesion: { neighborDistance: 8, weight: 0.6 },
        }),
        { behavior: new Wander(), weight: 0.3 },
        new Tether({ target: { x: 0, y: 30, z: 0 }, radius: 40 * Math.cbrt(count / 1000) }),
      ]),
    }),
  )
  return world
}
