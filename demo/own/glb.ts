/** Greatest size of a file that is opened (bytes), and greatest number of its triangles. */
const MAX_BYTES = 100e6
export const MAX_TRIANGLES = 2_000_000

const MAGIC = 0x46546c67 // 'glTF'
const JSON_CHUNK = 0x4e4f534a
const HEADER = 12
const CHUNK_HEADER = 8

/** Extensions that the loader reads without a decoder of its own. */
const KNOWN =
  /^(KHR_(materials_|texture_transform|mesh_quantization|lights_)|EXT_(texture_webp|texture_avif|mesh_gpu))/

interface Contents {
  readonly extensionsRequired?: readonly string[]
  readonly buffers?: readonly { readonly uri?: string }[]
  readonly images?: readonly { readonly uri?: string }[]
  readonly meshes?: readonly unknown[]
}

/**
 * Checks a file before it is read as a GLB (glTF 2.0, section 4.4).
 * @throws Error that tells the visitor in plain words what is wrong, and what helps.
 */
export function checkGlb(name: string, bytes: ArrayBuffer): void {
  const size = bytes.byteLength
  if (size === 0) throw new Error(`${name} is empty.`)
  if (size > MAX_BYTES)
    throw new Error(
      `${name} is too large: ${megabytes(size)}, and at most ${megabytes(MAX_BYTES)} can be opened.`,
    )
  const view = new DataView(bytes)
  if (size < HEADER + CHUNK_HEADER || view.getUint32(0, true) !== MAGIC) throw new Error(notGlb(name, bytes))
  const version = view.getUint32(4, true)
  if (version !== 2) throw new Error(`${name} has glTF version ${version}. Export it as glTF 2.0 (.glb).`)
  const whole = view.getUint32(8, true)
  const length = view.getUint32(HEADER, true)
  if (whole > size || HEADER + CHUNK_HEADER + length > size)
    throw new Error(`${name} is not whole: only ${size} of ${Math.max(whole, length)} bytes are there.`)
  if (view.getUint32(HEADER + 4, true) !== JSON_CHUNK) throw new Error(`${name} is damaged: it does not begin with its list of contents.`) // prettier-ignore
  checkContents(name, read(name, new Uint8Array(bytes, HEADER + CHUNK_HEADER, length)))
}

function checkContents(
  name: string,
  { buffers = [], extensionsRequired = [], images = [], meshes = [] }: Contents,
): void {
  if (meshes.length === 0) throw new Error(`${name} holds nothing to see: it has no mesh.`)
  // nothing is fetched from the network
  const outside = [...buffers, ...images].find(({ uri }) => uri !== undefined && !uri.startsWith('data:'))
  if (outside)
    throw new Error(`${name} needs another file, ${outside.uri}. Export the model with everything inside.`)
  const unknown = extensionsRequired.find((extension) => !KNOWN.test(extension))
  if (unknown) throw new Error(`${name} is compressed with ${unknown}. Export the model without compression.`)
}

function read(name: string, bytes: Uint8Array): Contents {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Contents
  } catch {
    throw new Error(`${name} is damaged: its list of contents cannot be read.`)
  }
}

function notGlb(name: string, bytes: ArrayBuffer): string {
  const start = new TextDecoder().decode(bytes.slice(0, 40)).trimStart()
  const isText = start.startsWith('{')
  return isText
    ? `${name} is a glTF whose parts lie in other files. Export the model as one binary file (.glb).`
    : `${name} is not a GLB. Export the model as binary glTF 2.0 (.glb): Blender and most 3D programs can.`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
