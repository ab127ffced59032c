import GUI from 'lil-gui'
import { DefaultLoadingManager } from 'three'
import { Player } from './player.js'
import type { SceneModule } from './scene.js'
import { Stage } from './stage.js'

/**
 * Runs one scene without the gallery around it. The page has elements with the ids `stage`, `cards`,
 * `foot` and `controls`. `models` are the files that the scene loads: by name, addresses with their content.
 */
export async function run(scene: SceneModule, models: Readonly<Record<string, string>>): Promise<void> {
  DefaultLoadingManager.setURLModifier((url) => models[/(\w[\w-]*)\.glb$/.exec(url)?.[1] ?? ''] ?? url)
  const options = { antialias: true, pixelRatio: 2, skylight: true, seed: 1 }
  const stage = new Stage(element('stage'), options, element('cards'), element('foot'))
  const player = new Player(stage, scene, options)
  player.onError = (error) => console.error(error)
  player.onOpen = (live) => live.panel(new GUI({ container: element('controls') }))
  await player.reset()
  player.start()
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}
