// @ts-check

/** A number of 24 bits. @param {number} value */
const three = (value) => Buffer.from([value & 255, (value >> 8) & 255, value >> 16])

/** @param {string} name @param {...Buffer} parts */
function chunk(name, ...parts) {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(body.length, 4)
  // chunks begin at even places
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

/** The chunk of a WebP file without transparency that has its picture. @param {Buffer} file */
function pictureOf(file) {
  for (let at = 12; at < file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2))
    if (file.toString('latin1', at, at + 4) === 'VP8 ')
      return file.subarray(at, at + 8 + file.readUInt32LE(at + 4))
  throw new Error('a frame has no chunk VP8')
}

/**
 * Pictures as an animation that repeats for ever. Browsers encode single pictures only.
 *
 * @param {readonly Buffer[]} frames WebP files of one size, without transparency.
 * @param {{ width: number, height: number, milliseconds: number }} options The size, and how long a frame is shown.
 */
export function animatedWebp(frames, { width, height, milliseconds }) {
  const size = Buffer.concat([three(width - 1), three(height - 1)])
  const parts = frames.map((frame) => {
    const picture = pictureOf(frame)
    // it replaces the one before
    const head = Buffer.concat([three(0), three(0), size, three(milliseconds), Buffer.from([2])])
    return chunk('ANMF', head, picture, Buffer.alloc(picture.length % 2))
  })
  const isAnimated = Buffer.from([2, 0, 0, 0])
  return chunk(
    'RIFF',
    Buffer.from('WEBP'),
    chunk('VP8X', isAnimated, size),
    chunk('ANIM', Buffer.alloc(6)),
    ...parts,
  )
}
