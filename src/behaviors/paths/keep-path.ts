import type { Archive } from '../../types.js'
import { Path } from './path.js'
import type { PathOptions } from './path-points.js'

/** What JSON makes a 0. */
const MINUS_ZERO = '-0'

/** A path that the user gave: the same one where it is known, else one that is made anew of the same options. */
export function keepPath(archive: Archive, path: Path | null): Path | null {
  return archive.reference(path, remake)
}

function remake(archive: Archive, path: Path | null): Path {
  const text = archive.string(path === null ? '' : JSON.stringify(path.options, written))
  return path ?? new Path(JSON.parse(text, meant) as PathOptions)
}

function written(_name: string, value: unknown): unknown {
  return Object.is(value, -0) ? MINUS_ZERO : value
}

function meant(_name: string, value: unknown): unknown {
  return value === MINUS_ZERO ? -0 : value
}
