import {
  columnPattern,
  customPattern,
  echelonPattern,
  linePattern,
  ringPattern,
  wallPattern,
  wedgePattern,
  type FormationSlot,
  type Pattern,
} from 'three-steering/formation'

/** Nine members in a diamond: ranks of one, two, three, two and one, each at 45° behind the rank before. */
const LOZENGE = [[0, 0], [1, 1], [1, -1], [2, 0], [2, 2], [2, -2], [3, 1], [3, -1], [4, 0]] as const // prettier-ignore

const diamond: Pattern = (count, spacing) =>
  customPattern(
    LOZENGE.map(([back, aside]) => ({
      position: { x: -back * spacing * Math.SQRT1_2, y: 0, z: aside * spacing * Math.SQRT1_2 },
    })),
  )(count, spacing)

/** The leader in the centre of a ring of the others. */
const ring: Pattern = (count, spacing) => {
  const middle: FormationSlot = { position: { x: 0, y: 0, z: 0 } }
  return count === 0 ? [] : [middle, ...ringPattern(count - 1, spacing)]
}

export const PATTERNS = {
  arrow: wedgePattern,
  diamond,
  line: linePattern,
  column: columnPattern,
  echelon: (count, spacing) => echelonPattern(count, spacing, { rise: -0.12 }),
  ring,
  wall: (count, spacing) => wallPattern(count, spacing, { width: 3 }),
} satisfies Record<string, Pattern>

export type PatternName = keyof typeof PATTERNS

export type FigureName =
  | 'pass'
  | 'loop'
  | 'wing-over'
  | 'carousel'
  | 'away'
  | 'astern'
  | 'climb'
  | 'over'
  | 'home'
  | 'return'

/** Where the camera is during a figure. */
export type Cue = 'ground' | 'chase' | 'orbit' | 'wing man'

interface FigureNote {
  readonly pattern: PatternName
  /** Text of the announcer. */
  readonly says: string
  readonly cue: Cue
  /** Whether a member falls when the figure begins. */
  readonly loses?: boolean
}

/** The figures of the programme. */
export const FIGURES: Record<FigureName, FigureNote> = {
  pass: { pattern: 'arrow', says: 'Nine jets from the left, in the arrow', cue: 'ground' },
  loop: { pattern: 'diamond', says: 'The diamond loop', cue: 'ground' },
  'wing-over': { pattern: 'diamond', says: 'Wing-over', cue: 'chase' },
  carousel: { pattern: 'ring', says: 'The carousel', cue: 'ground', loses: true },
  away: { pattern: 'diamond', says: 'Out to sea', cue: 'orbit' },
  astern: { pattern: 'column', says: 'In line astern', cue: 'orbit' },
  climb: { pattern: 'wall', says: 'Straight at you, and up: the wall', cue: 'ground' },
  over: { pattern: 'wall', says: 'Over the top', cue: 'chase' },
  home: { pattern: 'line', says: 'Line abreast, coming home', cue: 'orbit' },
  return: { pattern: 'arrow', says: 'And round again', cue: 'chase' },
}
