import { describe, expect, it } from 'vitest'
import { AvoidWalls, Obstacles, SteeringController, SteeringWorld, wallsFromCells } from 'three-steering'
import { seeded } from 'three-steering/authoring'

const CELL = { x: 2, y: 3, z: 1.5 }
const ORIGIN = { x: -4, y: 1, z: 7 }

describe('walls from a grid of cells', () => {
  it.each([1, 2, 3, 4, 5])('hold exactly the solid cells, each once (seed %i)', (seed) => {
    const random = seeded(seed)
    const size = { x: 5, y: 4, z: 6 }
    const solid = Array.from({ length: 120 }, () => random() < 0.2 * seed)
    const isSolid = (x: number, y: number, z: number): boolean => solid[x + 5 * (y + 4 * z)]!
    const walls = wallsFromCells({ size, cell: CELL, origin: ORIGIN, isSolid })
    const normal = { x: 0, y: 0, z: 0 }
    for (let z = 0; z < 6; z++)
      for (let y = 0; y < 4; y++)
        for (let x = 0; x < 5; x++) {
          // a point of the cell that is not its middle
          const at = {
            x: ORIGIN.x + (x + 0.1 + 0.8 * random()) * CELL.x,
            y: ORIGIN.y + (y + 0.1 + 0.8 * random()) * CELL.y,
            z: ORIGIN.z + (z + 0.1 + 0.8 * random()) * CELL.z,
          }
          const boxes = walls.filter((wall) => wall.distance(at, normal) < 0).length
          expect(boxes).toBe(isSolid(x, y, z) ? 1 : 0)
        }
  })

  it('are few: a room of 40 × 10 × 40 cells has six boxes, a solid block one', () => {
    const size = { x: 40, y: 10, z: 40 }
    const cell = { x: 1, y: 1, z: 1 }
    const isEdge = (i: number, n: number): boolean => i === 0 || i === n - 1
    const room = wallsFromCells({
      size,
      cell,
      isSolid: (x, y, z) => isEdge(x, 40) || isEdge(y, 10) || isEdge(z, 40),
    })
    expect(room.length).toBe(6)
    expect(wallsFromCells({ size, cell, isSolid: () => true }).length).toBe(1)
    expect(wallsFromCells({ size, cell, isSolid: () => false }).length).toBe(0)
  })

  it('keep an agent in a corridor of cells', () => {
    const walls = wallsFromCells({
      size: { x: 30, y: 3, z: 3 },
      cell: { x: 2, y: 4, z: 4 },
      isSolid: (_, y, z) => y !== 1 || z !== 1,
    })
    const obstacles = new Obstacles(walls)
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, {
      maxSpeed: 8,
      maxForce: 30,
      radius: 0.5,
      behavior: new AvoidWalls({ obstacles }),
      position: { x: 2, y: 6, z: 6 },
      velocity: { x: 5, y: 1, z: 2 },
    })
    world.add(pilot)
    for (let i = 0; i < 300; i++) {
      world.step(1 / 60)
      expect(obstacles.distance(pilot.position)).toBeGreaterThan(0.4)
    }
    expect(pilot.position.x).toBeGreaterThan(15)
  })

  it('stand between free cells, where the rule for a pair of cells says so', () => {
    const random = seeded(6)
    const size = { x: 5, y: 4, z: 6 }
    const solid = Array.from({ length: 120 }, () => random() < 0.2)
    const isSolid = (x: number, y: number, z: number): boolean => solid[x + 5 * (y + 4 * z)]!
    const thin = Array.from({ length: 360 }, () => random() < 0.4)
    const isWall = (x: number, y: number, z: number, axis: 'x' | 'y' | 'z'): boolean =>
      thin['xyz'.indexOf(axis) + 3 * (x + 5 * (y + 4 * z))]!
    const walls = wallsFromCells({ size, cell: CELL, origin: ORIGIN, isSolid, isWall, thickness: 0.1 })
    const normal = { x: 0, y: 0, z: 0 }
    let counted = 0
    for (let z = 0; z < 6; z++)
      for (let y = 0; y < 4; y++)
        for (let x = 0; x < 5; x++)
          for (const axis of ['x', 'y', 'z'] as const) {
            const next = { x, y, z }
            next[axis]++
            if (next[axis] === size[axis] || isSolid(x, y, z) || isSolid(next.x, next.y, next.z)) continue
            // a point of the face between both cells, and one in the room beside it
            const at = { x: 0, y: 0, z: 0 }
            for (const each of ['x', 'y', 'z'] as const)
              at[each] =
                ORIGIN[each] + ({ x, y, z }[each] + (each === axis ? 1 : 0.2 + 0.6 * random())) * CELL[each]
            expect(walls.filter((wall) => wall.distance(at, normal) < 0).length).toBe(
              isWall(x, y, z, axis) ? 1 : 0,
            )
            at[axis] -= 0.06
            expect(walls.filter((wall) => wall.distance(at, normal) < 0).length).toBe(0)
            counted++
          }
    expect(counted).toBeGreaterThan(100)
  })

  it('that are thin are few, too: one wall through a hall is one box', () => {
    const walls = wallsFromCells({
      size: { x: 20, y: 5, z: 20 },
      cell: { x: 1, y: 1, z: 1 },
      isSolid: () => false,
      isWall: (x, _y, _z, axis) => axis === 'x' && x === 9,
    })
    expect(walls.length).toBe(1)
    expect(walls[0]!.distance({ x: 0, y: 2.5, z: 10 }, { x: 0, y: 0, z: 0 })).toBeCloseTo(9.99, 9)
  })

  it('refuses what is no grid', () => {
    const good = { size: { x: 1, y: 1, z: 1 }, cell: CELL, isSolid: () => true }
    expect(() => wallsFromCells({ ...good, size: { x: 0, y: 1, z: 1 } })).toThrow(
      'wallsFromCells.size.x: got 0',
    )
    expect(() => wallsFromCells({ ...good, size: { x: 1, y: 1.5, z: 1 } })).toThrow('size.y: got 1.5')
    expect(() => wallsFromCells({ ...good, cell: { x: 1, y: 0, z: 1 } })).toThrow(
      'cell.y: got 0, must be > 0',
    )
    expect(() => wallsFromCells({ ...good, size: { x: 1e4, y: 1e4, z: 1e4 } })).toThrow('at most')
    expect(() => wallsFromCells({ ...good, isSolid: 3 as never })).toThrow('isSolid: got 3')
    expect(() => wallsFromCells({ ...good, isWall: 3 as never })).toThrow('isWall: got 3')
    expect(() => wallsFromCells({ ...good, thickness: 0 })).toThrow('thickness: got 0')
  })
})
