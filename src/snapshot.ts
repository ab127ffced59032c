export { takeSnapshot, type SnapshotOptions } from './snapshot/snapshot.js'
export { restoreSnapshot } from './snapshot/snapshot-restore.js'
export type { SavedHandle, SavedTree, Snapshot } from './snapshot/snapshot-data.js'
export { warm, type WarmOptions } from './snapshot/warm.js'
