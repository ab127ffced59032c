/** Methods as they were published: Millington's steering pipeline, and obstacle avoidance of three papers. */

export {
  ClassicAvoidance,
  type ClassicAvoidanceMethod,
  type ClassicAvoidanceOptions,
} from './behaviors/classic/classic-avoidance.js'
export { AttitudeTargeter, PathDecomposer, PlaceTargeter } from './behaviors/classic/pipeline-goals.js'
export {
  ArriveActuator,
  BallConstraint,
  type BallConstraintOptions,
} from './behaviors/classic/pipeline-moves.js'
export {
  PipelineGoal,
  PipelinePath,
  type Actuator,
  type Decomposer,
  type PipelineConstraint,
  type PipelineStage,
  type Targeter,
} from './behaviors/classic/pipeline-types.js'
export { Pipeline, pipeline, type PipelineOptions } from './behaviors/classic/pipeline.js'
