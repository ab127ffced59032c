import type { Body, World } from 'cannon-es'
import { CellPairs } from './cell-pairs.js'
import { PairSet } from './pair-set.js'
import { refuse } from '../../core/math/require.js'

type CollisionMatrix = World['collisionMatrix']
type OverlapKeeper = World['bodyOverlapKeeper']

/**
 * Makes a cannon-es world with many bodies fast: the cost of a step grows with the number of bodies and of
 * contacts, not with their squares. Call it once, between two steps. The bodies move as with
 * `NaiveBroadphase`, bit by bit. Rays and queries stay as they are. Three parts are replaced:
 *
 * - `world.broadphase.collisionPairs` looks for pairs in cells. It asks `needBroadphaseCollision` and
 *   `intersectionTest` of the same object only about close pairs, and never about two bodies that are static
 *   or asleep. `useBoundingBoxes` is read in each step. Call `tuneCannon` again after setting another
 *   `world.broadphase`.
 * - `world.collisionMatrix` and `world.collisionMatrixPrevious` hold only the pairs that touch, by id, and
 *   have no field `matrix`. Removing a body does not mix up the `collide` events of the others.
 * - `world.bodyOverlapKeeper` and `world.shapeOverlapKeeper` likewise. The contact events name the right
 *   bodies and shapes also when their ids exceed 32767.
 *
 * @throws TypeError when `world` is not a cannon world.
 */
export function tuneCannon(world: World): void {
  if (!Array.isArray(world?.bodies) || typeof world.broadphase?.collisionPairs !== 'function')
    refuse('tuneCannon', world, 'must be a CANNON.World')
  const { broadphase, collisionMatrix } = world
  const cells = new CellPairs()
  broadphase.collisionPairs = ({ bodies }, pairs1, pairs2) => {
    cells.find(bodies, broadphase.useBoundingBoxes)
    const { count, later, earlier } = cells
    for (let p = 0; p < count; p++) {
      if (p > 0 && later[p] === later[p - 1] && earlier[p] === earlier[p - 1]) continue
      const a = bodies[later[p]!]!
      const b = bodies[earlier[p]!]!
      if (broadphase.needBroadphaseCollision(a, b)) broadphase.intersectionTest(a, b, pairs1, pairs2)
    }
  }
  if ((collisionMatrix as unknown) instanceof SparseMatrix) return
  const touching = new SparseMatrix()
  const touched = new SparseMatrix()
  for (const { bi, bj } of world.contacts) touching.set(bi, bj, true)
  world.collisionMatrix = touching as unknown as CollisionMatrix
  world.collisionMatrixPrevious = touched as unknown as CollisionMatrix
  world.addEventListener('removeBody', ({ body }: { body: Body }) => {
    touching.forget(body)
    touched.forget(body)
  })
  world.bodyOverlapKeeper = sparse(world.bodyOverlapKeeper)
  world.shapeOverlapKeeper = sparse(world.shapeOverlapKeeper)
}

/** Which bodies touch each other, with the methods of cannon's collision matrices. */
class SparseMatrix {
  private readonly pairs = new PairSet()

  get(bi: Body, bj: Body): number {
    return this.pairs.has(bi.id, bj.id) ? 1 : 0
  }

  set(bi: Body, bj: Body, value: boolean): void {
    if (value) this.pairs.add(bi.id, bj.id)
    else this.pairs.delete(bi.id, bj.id)
  }

  reset(): void {
    this.pairs.clear()
  }

  setNumObjects(): void {
    // the set grows by itself
  }

  /** Forgets the contacts of a body that is removed: if it is added again, they are new contacts. */
  forget({ id }: Body): void {
    this.pairs.deleteAllOf(id)
  }
}

/** Ids of what overlaps in this step and in the step before, with the methods of cannon's `OverlapKeeper`. */
class SparseOverlaps {
  private current = new PairSet()
  private previous = new PairSet()

  set(i: number, j: number): void {
    this.current.add(i, j)
  }

  tick(): void {
    const { current, previous } = this
    this.current = previous
    this.previous = current
    previous.clear()
  }

  getDiff(additions: number[], removals: number[]): void {
    this.current.addMissingIn(this.previous, additions)
    this.previous.addMissingIn(this.current, removals)
  }
}

/** Takes over the pairs of the step before. */
function sparse(keeper: OverlapKeeper): OverlapKeeper {
  const overlaps = new SparseOverlaps()
  const pairs: number[] = []
  keeper.tick()
  keeper.getDiff([], pairs)
  for (let i = 0; i < pairs.length; i += 2) overlaps.set(pairs[i]!, pairs[i + 1]!)
  return overlaps as unknown as OverlapKeeper
}
