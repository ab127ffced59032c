import { FollowPath, Path, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { GateRun, racingLine } from 'three-steering/racing'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const gates = Array.from({ length: 5 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 5
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    return {
      position: { x: 11 * c, y: 3 * Math.sin(2 * angle), z: 11 * s },
      heading: { x: -s, y: 0, z: c },
      radius: 2, // m
    }
  })
  const limits = { maxSpeed: 9, maxForce: 25 }
  const line = racingLine(gates, {
    speed: 9,
    acceleration: 20,
    ends: 'closed',
  })
  const path = new Path(line)
  const run = new GateRun({ gates })
  const racer = new SteeringController(null, {
    ...limits,
    position: { x: 8, y: 0, z: -8 },
    behavior: within([run], new FollowPath({ path })),
  })
  let last = 'start'
  racer.addEventListener('stage', ({ stage }) => (last = stage))
  world.add(racer)
  const points = Array.from({ length: 201 }, (_, i) =>
    path.pointAt({ x: 0, y: 0, z: 0 }, (i / 200) * path.lap),
  )
  return {
    world,
    agents: [racer],
    targets: gates,
    lines: [points],
    readout: () => last,
  }
}
