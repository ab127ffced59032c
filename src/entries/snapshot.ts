/** A world as plain data: saved games, rollbacks, and a first frame without a pause. @module */

export { takeSnapshot, type SnapshotOptions } from '../extras/snapshot/snapshot.js'
export { restoreSnapshot } from '../extras/snapshot/snapshot-restore.js'
export type { SavedHandle, SavedTree, Snapshot } from '../extras/snapshot/snapshot-data.js'
export { warm, type WarmOptions } from '../extras/snapshot/warm.js'
