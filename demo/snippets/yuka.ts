import { ArriveBehavior, EntityManager, Vector3, Vehicle } from 'yuka'

const manager = new EntityManager()
export const vehicle = new Vehicle()
vehicle.maxSpeed = 6
vehicle.maxForce = 12
vehicle.steering.add(new ArriveBehavior(new Vector3(30, 4, 0), 3, 0.1))
manager.add(vehicle)

export function frame(delta: number): void {
  manager.update(delta)
}
