export { PoseCodec, type NetPose, type PacketInfo, type PoseCodecOptions } from './net/pose-codec.js'
export { PoseWriter, type Area, type PacketOptions } from './net/pose-writer.js'
