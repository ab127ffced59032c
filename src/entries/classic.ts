/**
 * Methods as they were published: Millington's steering pipeline, and obstacle avoidance of three papers.
 * @module
 */

export {
  ClassicAvoidance,
  type ClassicAvoidanceMethod,
  type ClassicAvoidanceOptions,
} from '../blocks/classic/classic-avoidance.js'
export { AttitudeTargeter, PathDecomposer, PlaceTargeter } from '../blocks/classic/pipeline-goals.js'
export {
  ArriveActuator,
  BallConstraint,
  type BallConstraintOptions,
} from '../blocks/classic/pipeline-moves.js'
export {
  PipelineGoal,
  PipelinePath,
  type Actuator,
  type Decomposer,
  type PipelineConstraint,
  type PipelineStage,
  type Targeter,
} from '../blocks/classic/pipeline-types.js'
export { Pipeline, pipeline, type PipelineOptions } from '../blocks/classic/pipeline.js'
