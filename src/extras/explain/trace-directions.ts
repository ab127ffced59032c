import type { Agent, DebugDraw, Step } from '../../core/types.js'
import type { VelocitySolver } from '../../core/solver/velocity-solver.js'
import { addScaled, length, vec3 } from '../../core/math/vec3.js'

/** Distance of the drawn YZ plane, as a time of flight (s). */
const TRACE_TIME = 1.5

const SEGMENTS = 32

/** Edges of discs beyond this distance (in units of the plane, 1 is at a right angle) are not drawn. */
const EDGE = 1.2

const here = vec3()
const there = vec3()

/**
 * Draws the YZ plane on which a solver chooses a direction: its axes, the discs of the obstacles, the wanted
 * direction and the chosen point, ahead of where the agent turns. Near its middle the drawing has the scale
 * of the scene, so that discs lie over their obstacles.
 */
export function traceDirections(solver: VelocitySolver, agent: Agent, step: Step, draw: DebugDraw): void {
  const search = solver.search(agent, step)
  if (search === null) return
  const { from, goalDistance, wantedVelocity } = solver
  const { direction: chosen, plane } = search
  const { count, data: discs } = search.silhouettes
  const distance = Math.min(TRACE_TIME * length(wantedVelocity), goalDistance)
  // a direction at angle θ lies at tan(θ / 2) on the plane, and about tan(θ) · distance to the side in space
  const put = (out: typeof here, y: number, z: number): void => {
    addScaled(out, from, plane.x, distance)
    addScaled(out, out, plane.y, 2 * distance * y)
    addScaled(out, out, plane.z, 2 * distance * z)
  }
  const edge = (layer: string, y: number, z: number, otherY: number, otherZ: number): void => {
    if (Math.hypot(y, z) > EDGE || Math.hypot(otherY, otherZ) > EDGE) return
    put(here, y, z)
    put(there, otherY, otherZ)
    draw.line(layer, here, there)
  }
  const half = 0.5
  edge('yz plane', -half, 0, half, 0)
  edge('yz plane', 0, -half, 0, half)
  for (const [y, z] of [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ] as const)
    edge('yz plane', half * y, half * z, half * z, -half * y)
  for (let i = 0; i < count; i++) {
    const y = discs[3 * i]!
    const z = discs[3 * i + 1]!
    const radius = discs[3 * i + 2]!
    for (let k = 0; k < SEGMENTS; k++) {
      const a = (2 * Math.PI * k) / SEGMENTS
      const b = (2 * Math.PI * (k + 1)) / SEGMENTS
      edge(
        'discs',
        y + radius * Math.cos(a),
        z + radius * Math.sin(a),
        y + radius * Math.cos(b),
        z + radius * Math.sin(b),
      )
    }
  }
  put(here, 0, 0)
  draw.line('wanted direction', from, here)
  const { x, y, z } = plane
  const ahead = chosen.x * x.x + chosen.y * x.y + chosen.z * x.z
  const k = 1 / Math.max(1e-3, 1 + ahead)
  const py = (chosen.x * y.x + chosen.y * y.y + chosen.z * y.z) * k
  const pz = (chosen.x * z.x + chosen.y * z.y + chosen.z * z.z) * k
  put(here, py, pz)
  draw.line('chosen direction', from, here)
  const mark = 0.02
  edge('chosen direction', py - mark, pz, py + mark, pz)
  edge('chosen direction', py, pz - mark, py, pz + mark)
}
