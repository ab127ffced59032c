import * as core from 'three-steering'
import * as authoring from 'three-steering/authoring'
import * as curves from 'three-steering/curves'
import * as docking from 'three-steering/docking'
import * as flow from 'three-steering/flow'
import * as formation from 'three-steering/formation'
import * as classic from 'three-steering/classic'
import * as racing from 'three-steering/racing'

const { blend, contextMap, dither, modes, priority, smooth, truncatedSum, within } = core
const part = { steer: () => undefined }

/** The classes of the combination schemes, which are exported as types: users call the functions. */
const SCHEMES = {
  Blend: blend([]).constructor,
  ContextMap: contextMap({ interest: [] }).constructor,
  Dither: dither([]).constructor,
  Modes: modes({ part }).constructor,
  Priority: priority([]).constructor,
  Smooth: smooth(part, { time: 1 }).constructor,
  TruncatedSum: truncatedSum([]).constructor,
  Within: within([], part).constructor,
}

/** Every value of the entries that need neither physics nor three.js, and the classes of the schemes. */
export const LIBRARY: Readonly<Record<string, unknown>> = {
  ...core,
  ...authoring,
  ...curves,
  ...docking,
  ...flow,
  ...formation,
  ...classic,
  ...racing,
  ...SCHEMES,
}
