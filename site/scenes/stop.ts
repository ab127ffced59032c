import { modes, Orbit, Stop } from 'three-steering'
import {
  SteeringController,
  SteeringWorld,
  Walker,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const round = {
    target: { x: 0, y: 0, z: 0 },
    axis: { x: 0, y: 1, z: 0 },
  }
  const runners = [4, 7, 10].map((radius) => {
    const states = modes({
      run: new Orbit({ ...round, radius }),
      stop: new Stop(),
    })
    const runner = new SteeringController(null, {
      position: { x: radius, y: 0, z: 0 },
      plane: { x: 0, y: 1, z: 0 },
      maxSpeed: 5,
      maxForce: 8,
      locomotion: new Walker(),
      behavior: states,
    })
    world.add(runner)
    return { runner, states }
  })
  world.addPlanner({
    plan({ time }) {
      for (const { states } of runners)
        states.current = time % 6 < 4 ? 'run' : 'stop'
    },
  })
  return {
    world,
    agents: runners.map(({ runner }) => runner),
    lasts: 18,
  }
}
