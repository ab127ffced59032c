import type { Body } from 'cannon-es'
import { CapsuleShape, type Behavior, type ObstacleOptions } from 'three-steering'
import { Port } from 'three-steering/docking'
import { CORRIDOR, corridorTurn, PORT_REACH, portOutward } from './spaceport.js'

/** About the station's middle: who does not use a corridor keeps out, m. */
export const CLEARANCE = 21

/** SnapshotState the port, and does nothing: not even what a ship does about its attitude when nobody asks for a torque. */
export function moored(dock: Behavior): Behavior {
  return {
    children: [dock],
    steer(agent, step, out) {
      dock.steer(agent, step, out)
      out.turns = true
    },
  }
}

/** Axes of the station's body (nose +Z, top +Y) as axes of its steering frame: ahead, up, starboard. */
export function makePort(station: Body, k: number): Port {
  const { x, z } = portOutward(k)
  return new Port({
    carrier: station,
    position: { x: PORT_REACH * z, y: 0, z: -PORT_REACH * x },
    outward: { x: z, y: 0, z: -x },
    up: { x: 0, y: 1, z: 0 },
    corridor: CORRIDOR,
    corridorRadius: 4,
    clearance: CLEARANCE,
    holdingDistance: CORRIDOR + 14,
    spacing: 17,
  })
}

/** The corridor of a port as an obstacle: who has not got the port stays out. */
export function barOf(station: Body, k: number, owner: Port): ObstacleOptions {
  const wide = 4
  return {
    shape: new CapsuleShape(wide, CORRIDOR - wide),
    at: station,
    offset: portOutward(k).scale(PORT_REACH + CORRIDOR / 2),
    turn: corridorTurn(k),
    owner,
  }
}
