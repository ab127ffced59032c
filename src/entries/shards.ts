/**
 * Worlds in parts, on several threads or servers: agents that change over, and ghosts at the borders.
 * @module
 */

export { exportAgent, importAgent, type HandOverOptions } from '../extras/shards/hand-over.js'
export { exportGroup, importGroup, type GroupParcel } from '../extras/shards/group.js'
export {
  addGhost,
  withoutGhosts,
  type Ghost,
  type GhostOptions,
  type GhostSolid,
} from '../extras/shards/ghost.js'
export { mergeQueue, shareQueue, type QueueShare } from '../extras/shards/queue.js'
export { joinClock } from '../extras/shards/join-clock.js'
export { orderNeighbors } from '../extras/shards/ordered-search.js'
export type { Parcel } from '../extras/shards/parcel.js'
