import { AddressBar, type Address } from './address.js'
import { Bar } from './bar.js'
import type { Card } from './cards.js'
import type { DemoHook } from './main.js'
import { element, fail, say } from './page.js'
import { Panel, startReadout } from './panel.js'
import { Player } from './player.js'
import { prefersLessMotion } from './preferences.js'
import type { SceneModule } from './scene.js'
import { Stage } from './stage.js'

/** The scenes, by path. Each is loaded when it is opened. */
const scenes = import.meta.glob<SceneModule>('./scenes/*.ts')

function runningHook(ready: Promise<void>, scene: string, player: Player): DemoHook {
  return {
    ready,
    scene,
    get frames() {
      return player.frames
    },
    step: (n) => player.step(n),
    pause: (on) => {
      player.paused = on
    },
    reset: (seed) => player.reset(seed),
    state: () => player.state(),
    placeOf: (name) => player.stage.placeOf(name),
    memory: () => ({ ...player.stage.renderer.info.memory }),
  }
}

/** Shows the page of a scene, and runs it. */
export async function openScene(card: Card, address: Address): Promise<void> {
  document.body.classList.toggle('bare', !address.ui)
  const bar = address.ui ? new Bar(card) : null
  const module = await scenes[`./scenes/${card.id}.ts`]!()
  const stage = new Stage(element('stage'), address, element('cards'), element('foot'))
  const player = new Player(stage, module, address)
  const start = element('start')
  start.addEventListener('click', () => (player.paused = false))
  player.onPause = () => (start.hidden = true)
  player.paused = address.paused || prefersLessMotion()
  // nothing moves until a visitor who prefers that starts it
  start.hidden = !player.paused || address.paused || !address.ui
  player.onError = fail
  if (bar) {
    stage.measureFreeArea = () => bar.freeArea
    const panel = new Panel(player, fail)
    const addressBar = new AddressBar(stage, player, panel)
    panel.onChange = () => addressBar.write()
    let isFirst = true
    player.onOpen = (live) => {
      panel.build(live)
      if (isFirst) addressBar.apply(address)
      else addressBar.restart()
      isFirst = false
    }
    startReadout(player)
  }
  const ready = player.reset().then(() => {
    say('')
    element('stage').classList.remove('loading')
    player.start()
  })
  window.demo = runningHook(ready, card.id, player)
  await ready
}
