import { advance, createRoot, extend, flushSync, useFrame, type ReconcilerRoot } from '@react-three/fiber'
import type GUI from 'lil-gui'
import { useEffect, useMemo, useRef, useState } from 'react'
import {
  AdditiveBlending,
  AmbientLight,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  DodecahedronGeometry,
  DoubleSide,
  ExtrudeGeometry,
  Float32BufferAttribute,
  getConsoleFunction,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PointLight,
  setConsoleFunction,
  Shape,
  SphereGeometry,
  type WebGLRenderer,
} from 'three'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Cruise,
  CylinderShape,
  Flight,
  Flocking,
  Hover,
  Obstacles,
  ReciprocalAvoidance,
  Tether,
  within,
  type SteeringWorld,
  type Vec3Like,
} from 'three-steering'
import { Flock, Steering, useSteering, useSteeringWorld, type SteeringHandle } from 'three-steering/react'
import { seeded } from 'three-steering/authoring'
import { Fingerprint } from '../scenarios/metrics.js'
import { FIXED_STEP, type LiveScene, type SceneState } from '../scene.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { DUSK_SKY, DUSK_SUN } from '../sky/dusk.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Board } from './board.js'
import { Birds } from './birds.js'
import { Lake } from './lake.js'

/** Room for gulls, and their number at most. */
const MAX_GULLS = 400
const MAX_BOATS = 8
const LEVEL: Vec3Like = { x: 0, y: 1, z: 0 }
/** Height of the lamp above the water, m. */
const LAMP = 17

const BUOYS = [
  { name: 'red', color: '#ff5a3c', x: -26, z: 16 },
  { name: 'green', color: '#3cff9a', x: 24, z: 20 },
  { name: 'yellow', color: '#ffd23c', x: 24, z: -22 },
  { name: 'blue', color: '#5aa8ff', x: -26, z: -18 },
].map(({ name, color, x, z }) => ({ name, color, place: { x, y: 0, z } }))

/** What the panel changes, as props of the components. */
interface Settings {
  boats: number
  gulls: number
  speed: number
}

/** What the page reads of the components. */
class Log {
  world: SteeringWorld | null = null
  arrivals = 0
  /** The state of each boat: how many buoys it has sailed to. */
  readonly legs = new Map<number, number>()
  readonly boats = new Map<number, SteeringHandle>()
}

const rocks = (): Obstacles => new Obstacles([{ shape: new CylinderShape(5.5, 6), at: { x: 0, y: 0, z: 0 } }])

/** Distance (m) that a boat starts aside, by the seed. */
const seededPlace = (seed: number, index: number): number => seeded(31 * seed + index)()

// #region code
/** Sails round the buoys, one after the other: each arrival changes its state, and so its behaviour. */
function Boat({ index, speed, seed, log }: { index: number; speed: number; seed: number; log: Log }) {
  const [leg, setLeg] = useState(index)
  const buoy = BUOYS[leg % BUOYS.length]!
  const start = BUOYS[(index + BUOYS.length - 1) % BUOYS.length]!.place
  const avoid = useMemo(
    () => [
      new AvoidObstacles({ obstacles: rocks(), clearance: 1 }),
      new ReciprocalAvoidance({ clearance: 1 }),
    ],
    [],
  )
  const behavior = useMemo(
    () => within(avoid, new Arrive({ target: buoy.place, tolerance: 3.5, speedTolerance: 3 })),
    [avoid, buoy],
  )
  const boat = useSteering({
    behavior,
    locomotion: useMemo(() => new Hover({ attitude: { roll: 'level' } }), []),
    maxSpeed: speed, // m/s
    maxForce: 900, // N
    maxTurnRate: 1.2, // rad/s
    mass: 300, // kg
    radius: 2.2, // m
    plane: LEVEL,
    onArrive: () => {
      log.arrivals++
      setLeg((now) => now + 1)
    },
  })
  useEffect(() => {
    log.boats.set(index, boat)
    log.legs.set(index, leg)
    return () => void log.boats.delete(index)
  }, [log, index, boat, leg])
  // beside each other, where several start from one buoy
  const aside = 4 * Math.floor(index / BUOYS.length) + seededPlace(seed, index)
  return (
    <group ref={boat.ref} position={[start.x + 3 + aside, 0, start.z + 4 + aside]} scale={1.35}>
      <mesh geometry={HULL} position={[0, 0.1, 0]}>
        <meshStandardMaterial color="#5b2f22" roughness={0.6} />
      </mesh>
      <mesh position={[0, 2.6, 0.2]}>
        <cylinderGeometry args={[0.05, 0.07, 4.6, 6]} />
        <meshStandardMaterial color="#2a1a14" />
      </mesh>
      <mesh geometry={SAIL} position={[0, 0.7, 0.15]}>
        <meshStandardMaterial
          color={buoy.color}
          emissive={buoy.color}
          emissiveIntensity={0.3}
          side={DoubleSide}
        />
      </mesh>
      <mesh position={[0, 5, 0.2]}>
        <sphereGeometry args={[0.16, 10, 8]} />
        <meshBasicMaterial color={buoy.color} toneMapped={false} />
      </mesh>
    </group>
  )
}
// #endregion

function Gulls({ count, birds, seed }: { count: number; birds: Birds; seed: number }) {
  const flight = useMemo(
    () =>
      blend([
        new Flocking({
          separation: { neighborDistance: 3, weight: 1.6 },
          alignment: { neighborDistance: 9, weight: 1 },
          cohesion: { neighborDistance: 9, weight: 0.7 },
        }),
        new Cruise(),
        { behavior: new Tether({ target: { x: 0, y: LAMP + 6, z: 0 }, radius: 22 }), weight: 1.4 },
      ]),
    [],
  )
  const behavior = useMemo(
    () => within([new AvoidObstacles({ obstacles: tower(), clearance: 1 })], flight),
    [flight],
  )
  return (
    <Flock
      count={count}
      seed={seed}
      behavior={behavior}
      locomotion={useMemo(() => new Flight({ minSpeed: 4 }), [])}
      maxSpeed={9}
      maxForce={14}
      maxNeighbors={7}
      radius={0.35}
      spawn={spawnGull}
    >
      <primitive object={birds.mesh} dispose={null} />
    </Flock>
  )
}

const tower = (): Obstacles =>
  new Obstacles([{ shape: new CylinderShape(2.2, 2 * LAMP), at: { x: 0, y: 0, z: 0 } }])

/** On a spiral round the lamp, all on the same way round. */
function spawnGull(index: number, { position, velocity }: { position: Vec3; velocity: Vec3 }): void {
  const angle = 2.4 * index
  const far = 9 + 0.9 * Math.sqrt(index)
  Object.assign(position, {
    x: far * Math.cos(angle),
    y: LAMP + 6 + 5 * Math.sin(1.3 * index),
    z: far * Math.sin(angle),
  })
  Object.assign(velocity, { x: -6 * Math.sin(angle), y: 0, z: 6 * Math.cos(angle) })
}

type Vec3 = { -readonly [K in keyof Vec3Like]: number }

function Lighthouse() {
  const beam = useRef<Group>(null)
  useFrame((_, delta) => {
    beam.current?.rotateY(0.55 * delta)
  })
  return (
    <>
      {ROCKS.map(({ at, size }, i) => (
        <mesh key={i} position={at} rotation={[i, 2 * i, 0.5 * i]} scale={size}>
          <dodecahedronGeometry args={[1, 0]} />
          <meshStandardMaterial color="#2c2a30" roughness={0.95} flatShading />
        </mesh>
      ))}
      {[0, 1, 2, 3, 4].map((ring) => (
        <mesh key={ring} position={[0, 3.2 + 2.4 * ring, 0]}>
          <cylinderGeometry args={[1.58 - 0.13 * ring, 1.71 - 0.13 * ring, 2.4, 24]} />
          <meshStandardMaterial color={ring % 2 === 0 ? '#d9d2c8' : '#a8332a'} roughness={0.7} />
        </mesh>
      ))}
      <mesh position={[0, LAMP - 2.6, 0]}>
        <cylinderGeometry args={[1.7, 1.5, 0.5, 24]} />
        <meshStandardMaterial color="#26262c" />
      </mesh>
      <mesh position={[0, LAMP - 1.2, 0]}>
        <cylinderGeometry args={[0.85, 0.85, 2.2, 16]} />
        <meshBasicMaterial color={LIGHT} toneMapped={false} />
      </mesh>
      <mesh position={[0, LAMP + 0.6, 0]}>
        <coneGeometry args={[1.35, 1.5, 24]} />
        <meshStandardMaterial color="#a8332a" roughness={0.6} />
      </mesh>
      <pointLight position={[0, LAMP - 1.2, 0]} color="#ffd9a0" intensity={900} distance={90} />
      <group ref={beam} position={[0, LAMP - 1.2, 0]}>
        {[0, Math.PI].map((turn) => (
          <mesh key={turn} geometry={BEAM} rotation={[0, turn, 0]}>
            <meshBasicMaterial
              color="#ffcf8a"
              vertexColors
              transparent
              blending={AdditiveBlending}
              depthWrite={false}
              side={DoubleSide}
            />
          </mesh>
        ))}
      </group>
    </>
  )
}

function Buoy({ place, color }: { place: Vec3Like; color: string }) {
  return (
    <group position={[place.x, 0, place.z]}>
      <mesh position={[0, 0.5, 0]}>
        <coneGeometry args={[0.7, 1.8, 12]} />
        <meshStandardMaterial color={color} roughness={0.5} emissive={color} emissiveIntensity={0.25} />
      </mesh>
      <mesh position={[0, 1.6, 0]}>
        <sphereGeometry args={[0.22, 10, 8]} />
        <meshBasicMaterial color={color} toneMapped={false} />
      </mesh>
    </group>
  )
}

/** Tells the page that all agents have joined the world: effects run from the first child to the last. */
function Ready({ log, onReady }: { log: Log; onReady: () => void }) {
  const world = useSteeringWorld()
  useEffect(() => {
    log.world = world
    onReady()
  }, [log, world, onReady])
  return null
}

interface IslandProps {
  readonly settings: Settings
  readonly seed: number
  readonly birds: Birds
  readonly log: Log
  readonly onReady: () => void
}

function Island({ settings, seed, birds, log, onReady }: IslandProps) {
  return (
    <>
      <ambientLight color="#8890c8" intensity={0.9} />
      <directionalLight color="#ff9a5a" intensity={2.2} position={SUN} />
      <Lighthouse />
      {BUOYS.map((buoy) => (
        <Buoy key={buoy.color} {...buoy} />
      ))}
      <Steering seed={seed}>
        {Array.from({ length: settings.boats }, (_, i) => (
          <Boat key={i} index={i} speed={settings.speed} seed={seed} log={log} />
        ))}
        <Gulls count={settings.gulls} birds={birds} seed={seed} />
        <Ready log={log} onReady={onReady} />
      </Steering>
    </>
  )
}

const SUN = DUSK_SUN.clone().multiplyScalar(100).setY(22).toArray()
const LIGHT = new Color('#fff0c8').multiplyScalar(2.5)

const ROCKS = [
  { at: [0, 0.2, 0], size: [4.6, 2.4, 4.2] },
  { at: [3.1, 0, 2.2], size: [2, 1.4, 1.8] },
  { at: [-3, -0.1, 2.6], size: [1.9, 1.2, 2.1] },
  { at: [-2.4, 0, -3], size: [2.1, 1.5, 1.7] },
  { at: [3.4, -0.2, -2], size: [1.6, 1.1, 1.7] },
] as const satisfies { at: [number, number, number]; size: [number, number, number] }[]

/** A hull with its bow at +z, and its deck 0.6 m above the water. */
const HULL = (() => {
  const deck = new Shape()
    .moveTo(0.75, -1.9)
    .quadraticCurveTo(1.05, 0.4, 0, 2.5)
    .quadraticCurveTo(-1.05, 0.4, -0.75, -1.9)
  const hull = new ExtrudeGeometry(deck, {
    depth: 0.6,
    bevelEnabled: true,
    bevelSize: -0.12,
    bevelThickness: 0.12,
  })
  return hull.rotateX(Math.PI / 2).translate(0, 0.5, 0)
})()

/** Main sail and jib. */
const SAIL = triangles([
  [0, 0.3, -0.1, 0.1, 0.3, -2.1, 0, 4.3, 0],
  [0, 0.1, 0.25, 0, 0.1, 2.1, 0, 3.6, 0.15],
])

/** A beam of light along x, brightest at the lamp. */
const BEAM = (() => {
  const beam = new ConeGeometry(3.5, 70, 24, 12, true).translate(0, -35, 0).rotateZ(Math.PI / 2)
  const along = beam.getAttribute('position')
  const colors = Array.from({ length: along.count }, (_, i) => {
    const share = 0.08 * Math.max(0, 1 - along.getX(i) / 70) ** 2
    return [share, share, share]
  })
  return beam.setAttribute('color', new Float32BufferAttribute(colors.flat(), 3))
})()

function triangles(corners: readonly number[][]): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(corners.flat(), 3))
  geometry.computeVertexNormals()
  return geometry
}

extend({
  AmbientLight,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  DodecahedronGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PointLight,
  SphereGeometry,
})

/** Opens the scene on a stage that draws and steps it: React only makes its objects. */
export async function openLighthouse(
  stage: Stage,
  bird: BufferGeometry,
  seed: number,
  gulls: number,
): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, DUSK_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.6
  stage.frame([23, 9.5, 51], [0, 8.5, 0], 8, 300)
  stage.controls.maxPolarAngle = 1.55
  const canvas = document.createElement('canvas')
  const root = makeRoot(canvas)
  await root.configure({
    gl: drawsNothing(canvas),
    scene: stage.scene,
    camera: stage.camera,
    frameloop: 'never',
    size: { width: 1, height: 1, top: 0, left: 0 },
  })
  const scene = new LighthouseScene(stage, sky, root, bird, seed, gulls)
  await scene.ready
  return scene
}

/** Fiber 9 makes a `Clock` of three.js. The console does not say that this class is deprecated. */
function makeRoot(canvas: HTMLCanvasElement): ReconcilerRoot<HTMLCanvasElement> {
  const before = getConsoleFunction()
  setConsoleFunction((type, message, ...rest) => {
    if (!message.startsWith('THREE.Clock:')) console[type](message, ...rest)
  })
  try {
    return createRoot(canvas)
  } finally {
    setConsoleFunction(before)
  }
}

/** In place of the renderer of Fiber, which would own the canvas of the stage and lose it on unmount. */
function drawsNothing(domElement: HTMLCanvasElement): WebGLRenderer {
  const nothing = (): void => {}
  return { domElement, render: nothing, setPixelRatio: nothing, setSize: nothing, shadowMap: {} } as never
}

class LighthouseScene implements LiveScene {
  readonly scenario = this
  readonly ready: Promise<void>
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #lake: Lake
  readonly #birds: Birds
  readonly #root: ReconcilerRoot<HTMLCanvasElement>
  readonly #log = new Log()
  readonly #wakes = new Trails({
    count: MAX_BOATS,
    points: 120,
    interval: 1 / 20,
    width: 1.6,
    opacity: 0.5,
    additive: false,
    color: () => new Color('#ffe9d6'),
  })
  /** The boats that have a wake. */
  readonly #sailing = new Set<number>()
  readonly #board: Board
  readonly #seed: number
  readonly #settings: Settings
  #onReady!: () => void
  #time = 0

  constructor(
    stage: Stage,
    sky: Backdrop,
    root: ReconcilerRoot<HTMLCanvasElement>,
    bird: BufferGeometry,
    seed: number,
    gulls: number,
  ) {
    this.#stage = stage
    this.#sky = sky
    this.#root = root
    this.#seed = seed
    this.#settings = { boats: 4, gulls: Math.min(gulls, MAX_GULLS), speed: 7 }
    this.#lake = new Lake(sky.texture)
    this.#birds = new Birds({
      geometry: bird,
      count: MAX_GULLS,
      sky: sky.texture,
      sun: DUSK_SUN,
      size: 1.3,
      rate: 2.6,
    })
    stage.scene.add(sky.dome, this.#lake.object, this.#wakes.object)
    const lines = Array.from({ length: MAX_BOATS }, (_, index) => ({
      name: `<Boat ${index + 1}>`,
      color: '',
    }))
    this.#board = new Board('State of the components', lines, stage.cards)
    this.ready = new Promise((resolve) => (this.#onReady = resolve))
    this.#render()
  }

  step(): void {
    this.#time += FIXED_STEP
    // changes of state take effect before the next step
    flushSync(() => advance(this.#time))
  }

  present(alpha: number, seconds: number): void {
    this.#log.world?.present(alpha)
    this.#lake.time = this.#birds.time = this.#time
    const { boats, legs } = this.#log
    this.#board.places = boats.size
    for (const index of this.#sailing)
      if (!boats.has(index) && this.#sailing.delete(index)) this.#wakes.restart(index, 0, 0, 0)
    for (const [index, { position }] of boats) {
      // a boat that is mounted again has a new wake
      if (!this.#sailing.has(index)) this.#wakes.restart(index, position.x, 0.08, position.z)
      this.#sailing.add(index)
      this.#wakes.put(index, position.x, 0.08, position.z)
      const leg = legs.get(index) ?? 0
      const { name, color } = BUOYS[leg % BUOYS.length]!
      this.#board.name(index, { name: `<Boat ${index + 1}>`, color })
      this.#board.write(index, `leg ${leg - index + 1}, to ${name}`, '')
    }
    this.#wakes.advance(seconds)
    this.#stage.drift(0.02 * seconds)
  }

  state(): SceneState {
    const { arrivals, boats, world } = this.#log
    const mark = new Fingerprint()
    for (const { position, velocity } of boats.values()) mark.addVector(position).addVector(velocity)
    return {
      boats: boats.size,
      gulls: this.#birds.mesh.count,
      arrivals,
      agents: world?.size ?? 0,
      fingerprint: mark.toString(),
    }
  }

  panel(gui: GUI): void {
    const change = (): void => this.#render()
    gui.add(this.#settings, 'boats', 0, MAX_BOATS, 1).onChange(change)
    gui.add(this.#settings, 'gulls', 0, MAX_GULLS, 10).onChange(change)
    gui.add(this.#settings, 'speed', 2, 12, 0.5).name('top speed of boats, m/s').onChange(change)
  }

  dispose(): void {
    this.#root.unmount()
    this.#board.remove()
    this.#wakes.dispose()
    this.#sky.dispose()
  }

  #render(): void {
    const element = (
      <Island
        settings={{ ...this.#settings }}
        seed={this.#seed}
        birds={this.#birds}
        log={this.#log}
        onReady={this.#onReady}
      />
    )
    flushSync(() => void this.#root.render(element))
  }
}
