import { Body, Box, Quaternion, Sphere, Vec3, type World } from 'cannon-es'
import type { Gate } from 'three-steering/racing'
import { outer, plus, turnFromY, unit, vec } from './vectors.js'

/** Number of straight pieces of a rim. */
const PIECES = 16

interface Piece {
  readonly at: Vec3
  readonly turn: ReturnType<typeof turnFromY>
  /** Half its length (m). */
  readonly half: number
}

/** Straight pieces along the circle of a gate. Their axes lie `thick` (m) outside of its radius. */
function piecesOf({ position, heading, radius }: Gate, thick: number): Piece[] {
  const ahead = unit(heading)
  const left = unit(outer(Math.abs(ahead.y) < 0.9 ? vec(0, 1, 0) : vec(1, 0, 0), ahead))
  const up = outer(ahead, left)
  // the inner edge of a piece touches the circle at its middle, and lies outside of it at its ends
  const reach = radius + thick
  return Array.from({ length: PIECES }, (_, k) => {
    const angle = (2 * Math.PI * k) / PIECES
    const out = plus(plus(vec(0, 0, 0), left, Math.cos(angle)), up, Math.sin(angle))
    const at = plus(position, out, reach)
    return {
      at: new Vec3(at.x, at.y, at.z),
      turn: turnFromY(unit(outer(ahead, out))),
      half: (reach + thick) * Math.tan(Math.PI / PIECES),
    }
  })
}

/** The rims as static bodies, one per gate, in the order of the gates. */
export function addRims(world: World, gates: readonly Gate[], thick: number): Body[] {
  return gates.map((gate) => {
    const body = new Body({ type: Body.STATIC, mass: 0 })
    for (const { at, turn, half } of piecesOf(gate, thick)) {
      const { x, y, z, w } = turn
      // a box inside of the tube, and a sphere at each joint
      const beam = new Vec3(thick * Math.SQRT1_2, half, thick * Math.SQRT1_2)
      body.addShape(new Box(beam), at, new Quaternion(x, y, z, w))
      body.addShape(new Sphere(thick), at)
    }
    world.addBody(body)
    return body
  })
}
