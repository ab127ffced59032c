import { Vector3 } from 'three'
import { FLOCK_3D, flockSide, flockStart } from '../../rigs/flock-3d.js'

interface Bird {
  readonly position: Vector3
  readonly velocity: Vector3
  readonly force: Vector3
}

const offset = new Vector3()
const apart = new Vector3()
const heading = new Vector3()
const middle = new Vector3()

/**
 * FLOCK-3D as a careful three.js developer would write it: objects with `THREE.Vector3`, one reused Map of
 * cells, no temporary objects per bird.
 */
export function vector3Flock(count: number, k: number): () => void {
  const { radius, maxSpeed, maxForce, dt } = FLOCK_3D
  const side = flockSide(count, k)
  const n = Math.max(1, Math.ceil(side / radius))
  const cells = new Map<number, Bird[]>()
  const birds: Bird[] = []
  flockStart(count, side, (_, position, velocity) => {
    birds.push({
      position: new Vector3(position.x, position.y, position.z),
      velocity: new Vector3(velocity.x, velocity.y, velocity.z),
      force: new Vector3(),
    })
  })
  const axis = (p: number): number => Math.min(n - 1, Math.max(0, Math.floor(p / radius)))
  const edge = Math.cos(FLOCK_3D.fieldOfView / 2)

  function think({ position, velocity, force }: Bird): void {
    apart.set(0, 0, 0)
    heading.set(0, 0, 0)
    middle.set(0, 0, 0)
    let seen = 0
    const speed = velocity.length()
    const [x, y, z] = [axis(position.x), axis(position.y), axis(position.z)]
    for (let k1 = Math.max(0, z - 1); k1 <= Math.min(n - 1, z + 1); k1++)
      for (let j = Math.max(0, y - 1); j <= Math.min(n - 1, y + 1); j++)
        for (let i = Math.max(0, x - 1); i <= Math.min(n - 1, x + 1); i++) {
          const cell = cells.get(i + n * (j + n * k1))
          if (cell === undefined) continue
          for (const other of cell) {
            offset.subVectors(other.position, position)
            const sq = offset.lengthSq()
            if (sq === 0 || sq >= radius * radius) continue
            if (offset.dot(velocity) < edge * Math.sqrt(sq) * speed) continue
            apart.addScaledVector(offset, -1 / sq)
            heading.add(other.velocity)
            middle.add(offset)
            seen++
          }
        }
    force.set(0, 0, 0)
    if (seen === 0) return
    force.addScaledVector(apart.normalize(), FLOCK_3D.separation)
    heading.divideScalar(seen).sub(velocity)
    force.addScaledVector(heading.normalize(), FLOCK_3D.alignment)
    force.addScaledVector(middle.normalize(), FLOCK_3D.cohesion)
    force.clampLength(0, maxForce)
  }

  const wrap = (p: number): number => p - Math.floor(p / side) * side
  return () => {
    for (const cell of cells.values()) cell.length = 0
    for (const bird of birds) {
      const { x, y, z } = bird.position
      const key = axis(x) + n * (axis(y) + n * axis(z))
      const cell = cells.get(key)
      if (cell === undefined) cells.set(key, [bird])
      else cell.push(bird)
    }
    for (const bird of birds) think(bird)
    for (const { position, velocity, force } of birds) {
      velocity.addScaledVector(force, dt).clampLength(0, maxSpeed)
      position.addScaledVector(velocity, dt)
      position.set(wrap(position.x), wrap(position.y), wrap(position.z))
    }
  }
}
