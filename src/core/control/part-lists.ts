/**
 * How often a list of parts was given out for the first time, or restored: as long as this stays, the parts
 * of a tree that could not be edited at the last look cannot have changed since.
 */
export const partLists: { changes: number } = { changes: 0 }
