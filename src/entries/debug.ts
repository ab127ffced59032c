/**
 * To see what happens: a picture of a world in one line (`show`), and lines in a scene of your own.
 * @module
 */

export {
  colorFor,
  DEFAULT_COLORS,
  SteeringHelper,
  type SteeringHelperOptions,
  type Traceable,
} from '../extras/debug/helper.js'
export { show, type ShowMark, type ShowOptions } from '../extras/debug/show.js'
