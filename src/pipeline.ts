/** Millington's steering pipeline (Artificial Intelligence for Games). */

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
