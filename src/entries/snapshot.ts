export { takeSnapshot, type SnapshotOptions } from '../core/snapshot/snapshot.js'
export { restoreSnapshot } from '../core/snapshot/snapshot-restore.js'
export type { SavedHandle, SavedTree, Snapshot } from '../core/snapshot/snapshot-data.js'
export { warm, type WarmOptions } from '../core/snapshot/warm.js'
