export {
  colorFor,
  DEFAULT_COLORS,
  SteeringHelper,
  type SteeringHelperOptions,
  type Traceable,
} from '../extras/debug/helper.js'
export { show, type ShowMark, type ShowOptions } from '../extras/debug/show.js'
