export { PoseBuffer, type PoseBufferOptions, type Shown } from './net/pose-buffer.js'
export { PoseCodec, type NetPose, type PacketInfo, type PoseCodecOptions } from './net/pose-codec.js'
export { PoseWriter, type Area, type PacketOptions } from './net/pose-writer.js'
export type { NetAgent } from './net/remote-agent.js'
