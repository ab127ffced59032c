export {
  colorFor,
  DEFAULT_COLORS,
  SteeringHelper,
  type SteeringHelperOptions,
  type Traceable,
} from '../extras/debug/helper.js'
