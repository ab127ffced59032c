import { loadGeometry } from '../models.js'
import type { LiveScene, SceneOptions } from '../scene.js'
import type { Stage } from '../stage.js'
import { openLighthouse } from '../views/lighthouse.js'

export async function open(stage: Stage, { seed, count = 160 }: SceneOptions): Promise<LiveScene> {
  return openLighthouse(stage, await loadGeometry('bird'), seed, count)
}
