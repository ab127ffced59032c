import type GUI from 'lil-gui'
import { BufferAttribute, Color, Object3D, type BufferGeometry } from 'three'
import type { Vec3Like } from 'three-steering'
import { loadGeometry } from '../models.js'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { BirdRiver, BRUSH, DEFAULT_RIVER, type Current } from '../scenarios/bird-river.js'
import { LAND, LEVEL } from '../scenarios/rock-towers.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { ALOFT_SKY, ALOFT_SUN } from '../sky/aloft.js'
import type { Stage } from '../stage.js'
import { Birds } from '../views/birds.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { CloudSea } from '../views/cloud-sea.js'
import { FlowBrush } from '../views/flow-brush.js'
import { FlowMotes } from '../views/flow-motes.js'
import { rockTowers } from '../views/rock-towers.js'

export async function open(stage: Stage, { seed, count = DEFAULT_RIVER }: SceneOptions): Promise<LiveScene> {
  const bird = scarlet(await loadGeometry('bird'))
  const sky = makeBackdrop(stage.renderer, ALOFT_SKY)
  const birds = new Birds({
    geometry: bird,
    count,
    sky: sky.texture,
    sun: ALOFT_SUN,
    size: 4.6,
    rate: 3.4,
    haze: 0.0009,
    light: { sun: [2.5, 1.4, 0.8], above: [0.5, 0.42, 0.5], below: [0.42, 0.27, 0.27] },
  })
  // upright it looks down, because otherwise clouds fill half of the picture
  if (stage.camera.aspect < 1) stage.frame([12, 107, 99], [3, 22, 10], 6, 420)
  else stage.frame([26, 74, 164], [3, 25, -22], 6, 420)
  stage.controls.maxPolarAngle = 1.5
  return new RiverScene(stage, sky, birds, seed, count)
}

/**
 * The cloud sea is made for scenes with aircraft. Position of its highest clouds (m), and its scale here,
 * horizontal and vertical.
 */
const SEA = { x: -330, y: 158, z: -720, across: 0.75, up: 0.45 } as const

/** Number of motes that show the flow, and of motes added with each dab of the brush. */
const MOTES = 260
const IN_DAB = 5
/** Greatest distance from a bird at which a mote starts, along each axis (m). */
const AROUND = 9

class RiverScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #birds: Birds
  readonly #sea: CloudSea
  readonly scenario: BirdRiver
  readonly #motes: FlowMotes
  readonly #brush: FlowBrush
  readonly #chase: Chase
  readonly #seat = new Object3D()
  #chosen = 0

  constructor(stage: Stage, sky: Backdrop, birds: Birds, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#birds = birds
    this.#chase = new Chase(stage.camera, stage.controls)
    this.scenario = new BirdRiver({ seed, count, view: birds.mesh })
    const { field } = this.scenario
    this.#sea = new CloudSea(sky.texture, 0)
    this.#sea.object.scale.set(SEA.across, SEA.up, SEA.across)
    this.#sea.object.position.set(-SEA.across * SEA.x, -SEA.up * SEA.y, -SEA.across * SEA.z)
    this.#motes = new FlowMotes({
      flow: field,
      count: MOTES,
      color: '#ffcf8f',
      opacity: 0.26,
      // three of four near a bird, the others anywhere
      placeAt: (random, out) => {
        const { flock } = this.scenario
        if (random() < 0.75) flock.position(Math.floor(random() * flock.size), out)
        else Object.assign(out, { x: LAND.x * (2 * random() - 1), y: LEVEL, z: LAND.z * (2 * random() - 1) })
        for (const axis of ['x', 'y', 'z'] as const) out[axis] += AROUND * (random() + random() - 1)
      },
    })
    this.#brush = new FlowBrush(stage, BRUSH, LEVEL)
    this.#brush.onPaint = (from, to) => this.#paint(from, to)
    stage.scene.add(
      sky.dome,
      this.#sea.object,
      rockTowers(this.scenario.towers, sky.texture),
      birds.mesh,
      this.#motes.object,
      this.#brush.object,
    )
  }

  present(alpha: number, seconds: number): void {
    const { steering } = this.scenario
    steering.present(alpha)
    this.#birds.time = this.#sea.time = steering.time
    this.#motes.advance(steering.time, seconds)
    if (this.#chase.following) copyInstancePose(this.#seat, this.#birds.mesh, this.#chosen)
    this.#chase.update(seconds)
    if (!this.#chase.following && !this.#brush.painting) this.#stage.drift(0.006 * seconds)
    // keep the camera above the clouds
    const { position } = this.#stage.camera
    position.y = Math.max(position.y, 12)
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    const draft = { brush: true, camera: 'above', current: scenario.current, motes: true }
    gui
      .add(draft, 'brush')
      .name('paint currents')
      .onChange((on: boolean) => {
        this.#brush.on = on
      })
    gui.add({ clear: () => scenario.clear() }, 'clear').name('clear what was painted')
    gui
      .add(draft, 'current', { 'a winding ring': 'ring', 'an eight': 'eight', 'a whirl': 'whirl' })
      .name('river')
      .onChange((current: Current) => {
        scenario.current = current
      })
    gui
      .add(draft, 'camera', { 'above the river': 'above', 'with a bird': 'bird' })
      .onChange((seat: string) => this.#ride(seat === 'bird'))
    gui
      .add(draft, 'motes')
      .name('show the flow')
      .onChange((on: boolean) => {
        this.#motes.object.visible = on
      })
    gui.add(scenario, 'eddies', 0, 4, 0.1).name('eddies, m/s')
    addOption(gui, scenario.separation, 'weight', { label: 'separation' })
  }

  dispose(): void {
    this.#brush.dispose()
    this.#motes.dispose()
    this.#sea.dispose()
    this.scenario.steering.dispose()
    this.#sky.dispose()
  }

  #paint(from: Vec3Like, to: Vec3Like): void {
    this.scenario.paint(from, to)
    for (let k = 0; k < IN_DAB; k++) {
      // spread evenly over the brush by the golden angle
      const angle = 2.4 * k + this.scenario.strokes
      const out = BRUSH * Math.sqrt((k + 0.5) / IN_DAB)
      this.#motes.put({
        x: to.x + 0.8 * out * Math.cos(angle),
        y: to.y + 3 * Math.sin(5 * angle),
        z: to.z + 0.8 * out * Math.sin(angle),
      })
    }
  }

  #ride(on: boolean): void {
    this.#brush.on = !on
    this.#chosen = Math.floor(this.scenario.flock.size / 2)
    copyInstancePose(this.#seat, this.#birds.mesh, this.#chosen)
    this.#chase.follow(on ? this.#seat : null, 13, true)
  }
}

/** Colours the starling model as a scarlet ibis: red, with black wing tips. */
function scarlet(geometry: BufferGeometry): BufferGeometry {
  const position = geometry.getAttribute('position')
  geometry.computeBoundingBox()
  const span = geometry.boundingBox!.max.x
  const colors = new Float32Array(3 * position.count)
  const [red, tip] = [new Color('#e02a1a'), new Color('#1d1013')]
  const color = new Color()
  for (let i = 0; i < position.count; i++) {
    const out = Math.abs(position.getX(i)) / span
    color.lerpColors(red, tip, Math.min(1, Math.max(0, 6 * (out - 0.78)))).toArray(colors, 3 * i)
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3))
  return geometry
}
