import type { Obstacle } from './obstacle.js'
import { grown } from '../math/grown.js'
import { Boxes } from './boxes.js'
import { Tree } from './tree.js'

/** As many newcomers as this, and a share of those in the tree, are tested one by one before the tree is built anew. */
const FEW = 16
const SHARE = 1 / 32

/**
 * Who is in a set of obstacles, and where. Each has a number, in the order of adding. The tree knows those below `built`, but
 * for those without an end, which are in `endless`; newcomers follow from `built` on. Who has left leaves a gap, until the tree is built anew.
 */
export class ObstacleIndex {
  readonly numberOf: Map<Obstacle, number> = new Map<Obstacle, number>()
  readonly members: (Obstacle | null)[] = []
  readonly endless: number[] = []
  readonly tree: Tree = new Tree()
  /** `[≥ members]`, for the answers of the tree. */
  found: Int32Array<ArrayBuffer> = new Int32Array(FEW)
  built = 0
  private readonly boxes = new Boxes()
  /** Numbers of those that follow something. */
  private readonly followers: number[] = []
  /** Speed of the fastest at the last refresh, m/s. */
  fastest = 0
  private gone = 0
  private worn = false

  add(obstacle: Obstacle): void {
    const number = this.members.push(obstacle) - 1
    this.numberOf.set(obstacle, number)
    if (obstacle.followed !== null) this.followers.push(number)
  }

  /** False for a stranger. */
  remove(obstacle: Obstacle): boolean {
    const number = this.numberOf.get(obstacle)
    if (number === undefined) return false
    this.numberOf.delete(obstacle)
    this.members[number] = null
    this.gone++
    if (number < this.built) this.boxes.drop(number)
    return true
  }

  clear(): void {
    this.numberOf.clear()
    this.members.length = this.endless.length = this.followers.length = 0
    this.built = this.gone = 0
    this.tree.build(this.boxes.corners, 0)
  }

  /** Reads again what the obstacles follow, and fits the tree. */
  refresh(): void {
    let moved = false
    let fastest = 0
    for (let i = 0; i < this.followers.length; i++) {
      const number = this.followers[i]!
      const obstacle = this.members[number] ?? null
      if (obstacle === null) continue
      obstacle.read()
      fastest = Math.max(fastest, obstacle.fastest())
      if (number < this.built && this.boxes.follow(number, obstacle)) moved = true
    }
    this.fastest = fastest
    if (moved && this.tree.refit()) this.worn = true
  }

  /** Must be called before a question: builds the tree anew when too many have come or gone, or it has worn out. */
  prepare(): void {
    const { members, built } = this
    const few = FEW + SHARE * built
    if (!this.worn && members.length - built <= few && this.gone <= few) return
    this.close()
    this.boxes.reserve(members.length)
    this.endless.length = 0
    for (let number = 0; number < members.length; number++)
      if (!this.boxes.take(number, members[number]!)) this.endless.push(number)
    this.tree.build(this.boxes.corners, members.length)
    this.built = members.length
    this.worn = false
    if (this.found.length < members.length) this.found = grown(this.found, 2 * members.length)
  }

  /** Numbers the members anew, without gaps. */
  private close(): void {
    if (this.gone === 0) return
    let count = 0
    this.followers.length = 0
    for (const obstacle of this.members) {
      if (obstacle === null) continue
      this.numberOf.set(obstacle, count)
      if (obstacle.followed !== null) this.followers.push(count)
      this.members[count++] = obstacle
    }
    this.members.length = count
    this.gone = 0
  }
}
