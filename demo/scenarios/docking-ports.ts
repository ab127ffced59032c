import type { Body } from 'cannon-es'
import { CapsuleShape, type Behavior, type ObstacleOptions } from 'three-steering'
import { Port, portAxes, type DockStage, type UndockStage } from 'three-steering/docking'
import { CORRIDOR, corridorTurn, PORT_REACH, portOutward } from './spaceport.js'

/** Stage of a `Dock` or `Undock`. Empty for a ship that does neither. */
export type PortStage = DockStage | UndockStage | ''

/** Radius around the station's centre that ships outside of a corridor keep clear of (m). */
export const CLEARANCE = 21

/**
 * A docked ship: runs the `Dock` behaviour without adding forces, and sets `turns` so that the locomotion
 * adds no torque for the attitude.
 */
export function moored(dock: Behavior): Behavior {
  return {
    children: [dock],
    steer(agent, step, out) {
      dock.steer(agent, step, out)
      out.turns = true
    },
  }
}

export function makePort(station: Body, k: number): Port {
  const outward = portOutward(k)
  return new Port({
    carrier: station,
    position: portAxes(outward.scale(PORT_REACH)),
    outward: portAxes(outward),
    up: { x: 0, y: 1, z: 0 },
    corridor: CORRIDOR,
    corridorRadius: 4,
    clearance: CLEARANCE,
    holdingDistance: CORRIDOR + 14,
    spacing: 17,
  })
}

/** The corridor of a port as an obstacle for all ships that do not hold the port. */
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
