/** Agents over a network: poses as few bytes, and a buffer from which clients draw them evenly. @module */

export { PoseBuffer, type PoseBufferOptions, type Shown } from '../extras/net/pose-buffer.js'
export { PoseCodec, type NetPose, type PacketInfo, type PoseCodecOptions } from '../extras/net/pose-codec.js'
export { PoseMemory } from '../extras/net/pose-memory.js'
export {
  PoseWriter,
  type Area,
  type PacketOptions,
  type PoseWriterOptions,
} from '../extras/net/pose-writer.js'
export type { NetAgent } from '../extras/net/remote-agent.js'
