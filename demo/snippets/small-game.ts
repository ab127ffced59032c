import * as THREE from 'three'
import {
  AvoidObstacles,
  blend,
  Cruise,
  Flight,
  Flock,
  Flocking,
  intercept,
  modes,
  Pursue,
  ReciprocalAvoidance,
  SphereShape,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  Stick,
  Tether,
  Wander,
  within,
  type Vec3Like,
} from 'three-steering'
import type { MovingFrame, SteeringBody } from 'three-steering/authoring'
import { MeshShape } from 'three-steering/bvh'
import { Dock, Port } from 'three-steering/docking'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { obstaclesFromObject3D, radiusOf } from 'three-steering/three'

/** What the game needs of a physics engine. */
export interface Physics {
  /** A ball at a place (m), with its radius (m) and mass (kg; 0 stands still), that turns about y (rad/s). */
  ball(at: Vec3Like, radius: number, mass: number, spin?: number): Solid
  /** Joins two bodies. The function that it returns parts them. */
  latch(ship: Solid, station: Solid): () => void
  /** Makes one step of 1/60 s, with the steering in it. */
  step(): void
}

export interface Solid {
  /** Its pose and velocity (live), for what follows it. */
  readonly frame: MovingFrame
  /** For a controller that steers it. */
  readonly body: SteeringBody
  /** Takes the body out of the physics world, or puts it back. */
  show(shown: boolean): void
  /** Pose and velocities, for a saved game. */
  state(): number[]
  restore(state: readonly number[]): void
}

interface SavedGame {
  readonly snapshot: Snapshot
  readonly bodies: number[][]
  readonly alive: boolean[]
  readonly isDocked: boolean
  readonly score: number
  readonly shield: number
}

const DT = 1 / 60
const ENEMIES = 20
const SIGHT = 60 // m, in which an enemy sees the player
const BITE = 6 // m, in which it damages the player
const RANGE = 70 // m
const MUZZLE = 300 // m/s
const AIM = 0.1 // rad
const SHIP = { maxSpeed: 22, maxForce: 500, maxTorque: 120, maxTurnRate: 1.5 } // m/s, N, N·m, rad/s

const rough = (color: string): THREE.Material => new THREE.MeshLambertMaterial({ color, flatShading: true })

export class SmallGame {
  /** Codes of the keys that are held down, such as KeyW. */
  readonly held = new Set<string>()
  /** 1 is real time, 0.25 slow motion, 0 a pause. */
  speed = 1
  score = 0
  shield = 100
  isDocked = false
  readonly ship = new THREE.Mesh(
    new THREE.ConeGeometry(1, 3, 4).rotateX(Math.PI / 2).scale(1.4, 0.6, 1),
    new THREE.MeshNormalMaterial(),
  )
  /** A ring before the nose, as wide as the aim: red while a shot would hit. */
  readonly ring = new THREE.Mesh(
    new THREE.RingGeometry(0.95, 1, 48),
    new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, transparent: true, depthTest: false }),
  )
  /** The last shot, and a flare where it hit. Both fade. */
  readonly beam = new THREE.Mesh(
    new THREE.CylinderGeometry(0.2, 0.2, RANGE, 6).rotateX(Math.PI / 2).translate(0, 0, RANGE / 2),
    new THREE.MeshBasicMaterial({ color: '#fc6' }),
  )
  readonly flare = new THREE.Mesh(new THREE.IcosahedronGeometry(4, 1), this.beam.material)
  readonly steering = new SteeringWorld({ seed: 1 })
  readonly stick = new Stick()
  readonly player: SteeringController
  readonly enemies: {
    pilot: SteeringController
    mind: { current: string }
    solid: Solid
    mesh: THREE.Mesh
  }[] = []
  readonly birds: Flock
  private readonly physics: Physics
  private readonly solids: Solid[] = []
  private readonly task
  private readonly station: Solid
  private readonly hull: THREE.Mesh
  private readonly body: Solid
  readonly camera: THREE.Camera
  private part: (() => void) | null = null
  private unstepped = 0

  constructor(
    makePhysics: (steering: SteeringWorld) => Physics,
    scene: THREE.Scene,
    camera: THREE.Camera,
    rocks: THREE.Object3D,
  ) {
    const { steering } = this
    this.camera = camera
    this.physics = makePhysics(steering)

    // the level: the rocks of a glTF file, the land below them, and a station that turns
    const land = new THREE.PlaneGeometry(400, 400, 40, 40).rotateX(-Math.PI / 2)
    const height = land.getAttribute('position')
    const tints: number[] = []
    for (let i = 0; i < height.count; i++) {
      const level = Math.sin(height.getX(i) / 30) * Math.cos(height.getZ(i) / 40)
      height.setY(i, 12 * level - 70)
      tints.push(...new THREE.Color(level > 0.6 ? '#eef' : level > -0.5 ? '#5a7' : '#369'))
    }
    land.computeVertexNormals()
    land.setAttribute('color', new THREE.Float32BufferAttribute(tints, 3))
    const ground = new THREE.MeshLambertMaterial({ vertexColors: true, flatShading: true })
    scene.add(rocks, new THREE.Mesh(land, ground), this.ship, this.flare)
    scene.updateMatrixWorld()
    const obstacles = obstaclesFromObject3D(rocks, { follow: false })
    rocks.traverse((rock) => {
      if (rock instanceof THREE.Mesh)
        this.physics.ball(rock.getWorldPosition(new THREE.Vector3()), 0.35 * radiusOf(rock), 0)
    })
    obstacles.add({ shape: new MeshShape(land) })
    this.hull = new THREE.Mesh(new THREE.IcosahedronGeometry(9, 2), rough('#ccd'))
    scene.add(this.hull)
    this.station = this.ball({ x: 0, y: 0, z: 90 }, 9, 1e6, 0.05)
    obstacles.add({ shape: new SphereShape(10), at: this.station.frame })

    // the player: a stick, or the autopilot that docks. The constraints keep both from all that is solid
    const port = new Port({
      carrier: this.station.frame,
      position: { x: 0, y: 10.2, z: 0 },
      outward: { x: 0, y: 1, z: 0 },
      clearance: 14,
    })
    this.task = modes({ fly: this.stick, dock: new Dock({ port }) }, { initial: 'fly' })
    const avoid = new AvoidObstacles({ obstacles })
    this.body = this.ball({ x: 0, y: 0, z: -60 }, 1, 10)
    this.player = new SteeringController(this.ship, {
      ...SHIP,
      body: this.body.body,
      behavior: within([avoid, new ReciprocalAvoidance()], this.task),
    })
    this.ring.position.z = 30
    this.ring.scale.setScalar(30 * AIM)
    this.ship.add(this.ring, this.beam)
    this.beam.scale.x = this.beam.scale.y = 0
    this.flare.scale.setScalar(0)
    steering.add(this.player)
    this.player.addEventListener('stage', ({ stage }) => {
      if (stage !== 'latched') return
      this.isDocked = true
      this.part ??= this.physics.latch(this.body, this.station)
    })

    // twenty enemies, which share what they avoid
    const constraints = [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()]
    const look = rough('#d43')
    for (let i = 0; i < ENEMIES; i++) {
      const angle = (2 * Math.PI * i) / ENEMIES
      const home = { x: 90 * Math.cos(angle), y: 10 * Math.sin(3 * angle), z: 90 * Math.sin(angle) }
      const solid = this.ball(home, 1, 10)
      const mesh = new THREE.Mesh(this.ship.geometry, look)
      const roam = blend([new Wander(), new Tether({ target: home, radius: 25 })])
      const mind = modes({ roam, hunt: new Pursue({ target: this.player }) }, { initial: 'roam' })
      const pilot = new SteeringController(mesh, {
        ...SHIP,
        maxSpeed: 16,
        body: solid.body,
        behavior: within(constraints, mind),
      })
      scene.add(mesh)
      steering.add(pilot)
      this.enemies.push({ pilot, mind, solid, mesh })
    }

    // birds above the land, without bodies
    const { traits, flocking, cruise, avoidance } = STARLINGS
    const view = new THREE.InstancedMesh(new THREE.ConeGeometry(0.3, 1).rotateX(Math.PI / 2), look, 40)
    scene.add(view)
    this.birds = new Flock({
      ...traits,
      view,
      count: view.count,
      behavior: within(
        [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance(avoidance)],
        blend([
          new Flocking(flocking),
          new Cruise(cruise),
          new Tether({ target: { x: 40, y: -40, z: 0 }, radius: 30 }),
        ]),
      ),
      locomotion: new Flight(),
      spawn: (i, { position }) =>
        Object.assign(position, { x: 40 + (i % 9), y: -40 + Math.floor(i / 9), z: i % 7 }),
    })
    steering.add(this.birds)
  }

  /** Each rendered frame, with the seconds since the last one. */
  frame(seconds: number): void {
    const key = (minus: string, plus: string): number =>
      Number(this.held.has(plus)) - Number(this.held.has(minus))
    this.stick.ahead = key('KeyS', 'KeyW')
    this.stick.right = key('KeyA', 'KeyD')
    this.stick.yaw = key('ArrowLeft', 'ArrowRight')
    this.stick.pitch = key('ArrowDown', 'ArrowUp')
    // a frame of half a second or more is a tab that comes back
    this.unstepped += Math.min(seconds, 0.5) * this.speed
    for (; this.unstepped >= DT; this.unstepped -= DT) {
      this.physics.step()
      if (this.steering.tick % 30 === 0) this.decide()
      if (this.steering.tick % 10 === 0 && this.held.has('Space')) this.fire()
    }
    this.steering.present(this.unstepped / DT)
    this.hull.position.copy(this.station.frame.position)
    if (this.station.frame.quaternion) this.hull.quaternion.copy(this.station.frame.quaternion)
    this.ring.material.color.set(this.aimed() < 0 ? '#fff' : '#f30')
    this.beam.scale.x = this.beam.scale.y *= Math.exp(-20 * seconds)
    this.flare.scale.multiplyScalar(Math.exp(-5 * seconds))
    // the camera follows behind the ship; in a pause, too
    const seat = this.ship.localToWorld(new THREE.Vector3(0, 4, -14))
    this.camera.position.lerp(seat, 1 - Math.exp(-4 * seconds))
    this.camera.lookAt(this.ship.position)
  }

  /** A key that acts once: dock or undock, fire, pause, slow motion. */
  press(code: string): void {
    if (code === 'KeyP') this.speed = this.speed === 0 ? 1 : 0
    if (code === 'KeyT') this.speed = this.speed === 1 ? 0.25 : 1
    if (code === 'Space') this.fire()
    if (code !== 'KeyC') return
    this.release()
    this.task.current = this.task.current === 'dock' ? 'fly' : 'dock'
  }

  /** The whole game as text. Steering, bodies, and the game's own numbers are saved in the same step. */
  save(): string {
    const saved: SavedGame = {
      snapshot: takeSnapshot(this.steering),
      bodies: this.solids.map((solid) => solid.state()),
      alive: this.enemies.map(({ mesh }) => mesh.visible),
      isDocked: this.isDocked,
      score: this.score,
      shield: this.shield,
    }
    return JSON.stringify(saved)
  }

  load(text: string): void {
    const { snapshot, bodies, alive, isDocked, score, shield } = JSON.parse(text) as SavedGame
    this.release()
    alive.forEach((lives, i) => this.setAlive(i, lives))
    bodies.forEach((state, i) => this.solids[i]!.restore(state))
    restoreSnapshot(this.steering, snapshot)
    Object.assign(this, { score, shield })
    this.isDocked = isDocked
    if (isDocked) this.part = this.physics.latch(this.body, this.station)
  }

  private ball(at: Vec3Like, radius: number, mass: number, spin = 0): Solid {
    const solid = this.physics.ball(at, radius, mass, spin)
    this.solids.push(solid)
    return solid
  }

  /** Twice a second: enemies that see the player hunt it, and bite when they are near; a dock is safe. */
  private decide(): void {
    const isPrey = this.task.current === 'fly'
    if (this.isDocked) this.shield = Math.min(100, this.shield + 5)
    for (const { mind, mesh } of this.enemies) {
      const far = mesh.position.distanceTo(this.ship.position)
      mind.current = isPrey && far < SIGHT ? 'hunt' : 'roam'
      if (mesh.visible && isPrey && far < BITE) this.shield = Math.max(0, this.shield - 1)
    }
  }

  /** Index of the first enemy near the line of fire, or −1. */
  private aimed(): number {
    const nose = new THREE.Vector3(0, 0, 1).applyQuaternion(this.ship.quaternion)
    return this.enemies.findIndex(({ pilot, mesh }) => {
      const shot = mesh.visible ? intercept(this.player, pilot, MUZZLE) : null
      if (shot === null || shot.time > RANGE / MUZZLE) return false
      return nose.angleTo(new THREE.Vector3().copy(shot.aim).sub(this.ship.position)) < AIM
    })
  }

  private fire(): void {
    const hit = this.aimed()
    this.beam.scale.setScalar(1)
    if (hit < 0) return
    this.flare.position.copy(this.enemies[hit]!.mesh.position)
    this.flare.scale.setScalar(1)
    this.setAlive(hit, false)
    this.score++
  }

  /** Takes an enemy out of both worlds and the picture, or puts it back. */
  private setAlive(index: number, lives: boolean): void {
    const { pilot, solid, mesh } = this.enemies[index]!
    if (mesh.visible === lives) return
    mesh.visible = lives
    solid.show(lives)
    if (lives) this.steering.add(pilot)
    else this.steering.remove(pilot)
  }

  private release(): void {
    this.part?.()
    this.part = null
    this.isDocked = false
  }
}
