import { Body, Box, Quaternion, Sphere, Vec3 } from 'cannon-es'
import { distance } from './metrics.js'

/** Dimensions of the station model (m). */
const RING = 9
const PIER = 13
const BERTH = 17
const BERTHS_EACH = 6

/**
 * Distance in front of a berth at which ships gather before entering, and to which they fly on leaving (m).
 */
const GATE = 9

/** Routes keep this distance from the centre of each station (m). */
const CLEARANCE = 20

export interface Berth {
  readonly station: number
  /** Position of a ship in the berth, and the gate in front of it (m). */
  readonly position: Vec3
  readonly gate: Vec3
  /** Index of the ship that holds it, or −1. */
  holder: number
}

/** Three wheel-shaped stations with piers for six ships each. */
export class Harbor {
  readonly stations: readonly Body[]
  readonly berths: readonly Berth[]

  constructor() {
    this.stations = [
      makeStation(new Vec3(-35, -5, 8), new Vec3(0.22, 0, -0.16)),
      makeStation(new Vec3(36, 9, -14), new Vec3(0.3, 0.5, 0.2)),
      makeStation(new Vec3(-3, -9, -64), new Vec3(0.3, 0.2, 0.1)),
    ]
    this.berths = this.stations.flatMap((body, station) =>
      Array.from({ length: BERTHS_EACH }, (_, k): Berth => {
        const angle = (k / BERTHS_EACH) * 2 * Math.PI
        const out = body.quaternion.vmult(new Vec3(Math.sin(angle), 0, Math.cos(angle)))
        const at = (reach: number): Vec3 => body.position.addScaledVector(reach, out)
        return { station, position: at(BERTH), gate: at(BERTH + GATE), holder: -1 }
      }),
    )
  }

  /** Free berths at other stations than `from` whose gate can be reached from a point in a straight line. */
  reachable(start: Vec3, from: number): Berth[] {
    return this.berths.filter(
      (berth) =>
        berth.holder < 0 &&
        berth.station !== from &&
        this.stations.every((station) => missDistance(station.position, start, berth.gate) > CLEARANCE),
    )
  }
}

function makeStation(position: Vec3, tilt: Vec3): Body {
  const quaternion = new Quaternion().setFromEuler(tilt.x, tilt.y, tilt.z)
  const body = new Body({ mass: 0, position, quaternion })
  body.addShape(new Sphere(2.6))
  // the ring as a chain of spheres: boxes would need many more contacts
  for (let k = 0; k < 24; k++) {
    const angle = (k / 24) * 2 * Math.PI
    body.addShape(new Sphere(1.3), new Vec3(RING * Math.sin(angle), 0, RING * Math.cos(angle)))
  }
  for (let k = 0; k < BERTHS_EACH; k++) {
    const angle = (k / BERTHS_EACH) * 2 * Math.PI
    const middle = new Vec3(Math.sin(angle), 0, Math.cos(angle)).scale(PIER / 2 + 0.5)
    const turn = new Quaternion().setFromAxisAngle(new Vec3(0, 1, 0), angle)
    body.addShape(new Box(new Vec3(0.55, 0.35, PIER / 2)), middle, turn)
  }
  return body
}

/** Distance (m) of a point to the segment from `a` to `b`. */
function missDistance(point: Vec3, a: Vec3, b: Vec3): number {
  const along = b.vsub(a)
  const lengthSq = along.lengthSquared()
  const share = lengthSq > 0 ? Math.min(1, Math.max(0, point.vsub(a).dot(along) / lengthSq)) : 0
  return distance(point, a.addScaledVector(share, along))
}
