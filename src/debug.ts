export {
  colorFor,
  DEFAULT_COLORS,
  SteeringHelper,
  type SteeringHelperOptions,
  type Traceable,
} from './debug/helper.js'
