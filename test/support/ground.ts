import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  Hover,
  SteeringController,
  SteeringWorld,
  Walker,
  Wheels,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
} from 'three-steering'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { MeshShape } from 'three-steering/bvh'
import { car } from 'three-steering/vehicles'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'

/** A piece of the ground, or what stands on it. Half extents of a box; `tilt` (rad): its x axis rises. */
export interface Piece {
  readonly form: 'plane' | 'mesh' | 'field' | readonly [number, number, number]
  readonly at?: Vec3Like
  readonly tilt?: number
  /** Height of a mesh or height field. */
  readonly height?: (x: number, z: number) => number
}

export interface Ground {
  readonly height: (x: number, z: number) => number
  readonly pieces: readonly Piece[]
}

/** A vehicle: half extents of a box, or a capsule, and all that its agent needs besides. */
export interface Vehicle {
  readonly box?: readonly [number, number, number]
  readonly ball?: number
  /** Half height and radius; a character of Rapier. */
  readonly capsule?: readonly [number, number]
  readonly mass?: number
  /** See `AvoidObstacles`. */
  readonly maxDrop?: number
  /** Default: arrives at the goal. */
  readonly wish?: () => Behavior
  readonly options: () => Omit<ControllerOptions, 'behavior' | 'body'>
}

const box = [0.45, 0.25, 1] as const
const push = { maxSpeed: 8, maxForce: 600 }
const UP = { x: 0, y: 1, z: 0 }
/** One of each kind that is bound to the ground. */
export const VEHICLES: Record<string, Vehicle> = {
  car: {
    box: [0.9, 0.5, 2],
    mass: 1200,
    options: () => {
      const { plane: _, ...options } = car()
      return { ...options, compensateGravity: true }
    },
  },
  cart: {
    box,
    options: () => ({ ...push, compensateGravity: true, locomotion: new Wheels({ wheelbase: 1.4 }) }),
  },
  walker: { box, options: () => ({ ...push, locomotion: new Walker() }) },
  'round walker': { ball: 0.5, options: () => ({ ...push, maxSpeed: 4, locomotion: new Walker() }) },
  hovercraft: { box, options: () => ({ ...push, locomotion: new Hover(), plane: UP }) },
  // its weight is 490 N
  'craft that is too heavy to fly': {
    box,
    options: () => ({ ...push, maxForce: 400, locomotion: new Hover() }),
  },
  character: {
    capsule: [0.6, 0.3],
    options: () => ({ maxSpeed: 3, maxForce: 350, locomotion: new Walker() }),
  },
  'slim character': {
    capsule: [0.6, 0.3],
    options: () => ({ maxSpeed: 3, maxForce: 350, radius: 0.3, locomotion: new Walker() }),
  },
}

export type Engine = 'cannon' | 'Rapier'

export interface Drive {
  /** s; Infinity for never. */
  readonly time: number
  readonly end: Vec3Like
  /** Least distance (m) of its centre from the `walls`, in the level plane. */
  readonly gap: number
}

const SIZE = 60
const CELLS = 40

/** Rows along x of heights along z. */
const heightsOf = (height: (x: number, z: number) => number): number[][] =>
  Array.from({ length: CELLS + 1 }, (_, i) =>
    Array.from({ length: CELLS + 1 }, (__, k) =>
      height((2 * i * SIZE) / CELLS - SIZE, (2 * k * SIZE) / CELLS - SIZE),
    ),
  )

function triangles(height: (x: number, z: number) => number, cells = CELLS) {
  const vertices: number[] = []
  const indices: number[] = []
  for (let i = 0; i <= cells; i++)
    for (let k = 0; k <= cells; k++) {
      const [x, z] = [(2 * i * SIZE) / cells - SIZE, (2 * k * SIZE) / cells - SIZE]
      vertices.push(x, height(x, z), z)
      if (i === cells || k === cells) continue
      const a = i * (cells + 1) + k
      const b = a + cells + 1
      indices.push(a, a + 1, b, b, a + 1, b + 1)
    }
  return { vertices: new Float32Array(vertices), indices: new Uint32Array(indices) }
}

const turnOf = ({ tilt = 0 }: Piece) => ({ x: 0, y: 0, z: Math.sin(tilt / 2), w: Math.cos(tilt / 2) })

interface Stage {
  readonly steering: SteeringWorld
  readonly obstacles: ReturnType<typeof obstaclesFromCannon>
  readonly body: NonNullable<ControllerOptions['body']>
  readonly place: () => Vec3Like
  readonly step: () => void
}

function onCannon(pieces: readonly Piece[], vehicle: Vehicle, start: Vec3Like, dt: number): Stage {
  const { ball = 0, box, mass = 50 } = vehicle
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
  world.defaultContactMaterial.friction = 0
  for (const piece of pieces) {
    const { at, form, height } = piece
    const solid = new CANNON.Body({ mass: 0 })
    if (form === 'plane') {
      solid.addShape(new CANNON.Plane())
      solid.quaternion.setFromEuler(-Math.PI / 2, 0, 0)
    } else if (form === 'mesh') {
      const { indices, vertices } = triangles(height!)
      solid.addShape(new CANNON.Trimesh([...vertices], [...indices]))
    } else if (form === 'field') {
      // its heights are along z, and its rows run from −x to x and from z to −z
      const rows = heightsOf((x, z) => height!(x, -z))
      solid.addShape(
        new CANNON.Heightfield(rows, { elementSize: (2 * SIZE) / CELLS }),
        new CANNON.Vec3(-SIZE, -SIZE, 0),
      )
      solid.quaternion.setFromEuler(-Math.PI / 2, 0, 0)
    } else {
      const { w, x, y, z } = turnOf(piece)
      solid.addShape(new CANNON.Box(new CANNON.Vec3(...form)))
      solid.quaternion.set(x, y, z, w)
    }
    if (at !== undefined) solid.position.set(at.x, at.y, at.z)
    world.addBody(solid)
  }
  const shape = box === undefined ? new CANNON.Sphere(ball) : new CANNON.Box(new CANNON.Vec3(...box))
  const body = new CANNON.Body({ mass, shape })
  body.position.set(start.x, start.y, start.z)
  world.addBody(body)
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const obstacles = obstaclesFromCannon(world, { mesh: (each) => new MeshShape(each) })
  return {
    steering,
    obstacles,
    body: cannonBody(body),
    place: () => body.position,
    step: () => world.step(dt),
  }
}

function onRapier(pieces: readonly Piece[], vehicle: Vehicle, start: Vec3Like, dt: number): Stage {
  const { ball = 0, box, capsule, mass = 50 } = vehicle
  const { ColliderDesc: Form, RigidBodyDesc: Kind } = RAPIER
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
  world.timestep = dt
  for (const piece of pieces) {
    const { at, form, height } = piece
    const { indices, vertices } = triangles(height ?? (() => 0))
    const made =
      form === 'plane'
        ? new Form(new RAPIER.HalfSpace({ x: 0, y: 1, z: 0 }))
        : form === 'mesh'
          ? Form.trimesh(vertices, indices, RAPIER.TriMeshFlags.FIX_INTERNAL_EDGES)
          : form === 'field'
            ? Form.heightfield(CELLS, CELLS, new Float32Array(heightsOf(height!).flat()), {
                x: 2 * SIZE,
                y: 1,
                z: 2 * SIZE,
              })
            : Form.cuboid(...form).setRotation(turnOf(piece))
    if (at !== undefined) made.setTranslation(at.x, at.y, at.z)
    world.createCollider(made.setFriction(0).setFrictionCombineRule(RAPIER.CoefficientCombineRule.Min))
  }
  const steering = new SteeringWorld()
  const door = rapierDoor(steering, world)
  const kind = capsule === undefined ? Kind.dynamic() : Kind.kinematicPositionBased()
  const rigid = world.createRigidBody(kind.setTranslation(start.x, start.y, start.z))
  const form =
    capsule !== undefined
      ? Form.capsule(...capsule)
      : box !== undefined
        ? Form.cuboid(...box)
        : Form.ball(ball)
  const collider = world.createCollider(form.setMass(mass).setFriction(0), rigid)
  const feet = world.createCharacterController(0.01)
  feet.enableAutostep(0.4, 0.2, false)
  feet.enableSnapToGround(0.3)
  return {
    steering,
    obstacles: obstaclesFromRapier(world, { mesh: (each) => new MeshShape(each) }),
    body: capsule === undefined ? door.body(rigid) : door.character(collider, feet, { mass: 70 }),
    place: () => rigid.translation(),
    step: () => door.step(),
  }
}

/** Drives from the origin to the goal, over the ground and past the walls, all of which are obstacles. */
export function drive(
  engine: Engine,
  vehicle: Vehicle,
  { height, pieces }: Ground,
  goal: { readonly x: number; readonly z: number },
  walls: readonly Piece[] = [],
  dt = 1 / 60,
  seconds = 25,
): Drive {
  const { ball = 0, box, capsule = [0, 0], maxDrop, wish } = vehicle
  const low = box?.[1] ?? ball + capsule[0] + capsule[1]
  const start = { x: 0, y: height(0, 0) + low + 0.02, z: 0 }
  const all = [...pieces, ...walls]
  const stage = engine === 'cannon' ? onCannon(all, vehicle, start, dt) : onRapier(all, vehicle, start, dt)
  const { body, obstacles, place, steering, step } = stage
  const target = { x: goal.x, y: height(goal.x, goal.z) + low, z: goal.z }
  const agent = new SteeringController(null, {
    body,
    ...vehicle.options(),
    behavior: within(
      [new AvoidObstacles({ obstacles, ...(maxDrop === undefined ? {} : { maxDrop }) })],
      wish?.() ?? new Arrive({ target, tolerance: 1 }),
    ),
  })
  steering.add(agent)
  let time = Infinity
  let gap = Infinity
  agent.addEventListener('arrive', () => (time = Math.min(time, steering.time)))
  for (let i = 0; i < seconds / dt; i++) {
    step()
    if (time < Infinity) break
    const { x, z } = place()
    for (const { at, form } of walls) {
      const [halfX, , halfZ] = form as readonly [number, number, number]
      const dx = Math.max(0, Math.abs(x - at!.x) - halfX)
      const dz = Math.max(0, Math.abs(z - at!.z) - halfZ)
      gap = Math.min(gap, Math.hypot(dx, dz))
    }
  }
  const { x, y, z } = place()
  return { time, gap, end: { x, y, z } }
}
