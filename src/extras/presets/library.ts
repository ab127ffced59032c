/** What the entries with behaviours, flows and shapes export. */
export * from '../../entries/classic.js'
export * from '../../entries/docking.js'
export * from '../../entries/flow.js'
export * from '../../entries/formation.js'
export * from '../../entries/index.js'
export * from '../../entries/racing.js'
