import type { Kind } from '../world/craft.js'

/** The model of each kind: a file of `assets`. */
export const MODELS: Readonly<Record<Kind, string>> = {
  player: 'ship',
  drone: 'drone',
  freighter: 'freighter',
  escort: 'fighter',
  shuttle: 'tug',
  station: 'spaceport',
}
