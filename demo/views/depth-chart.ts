import { DataTexture, LinearFilter, RedFormat } from 'three'

const CHART = 256
/** Depth of the sea at the largest value (m). */
export const DEEPEST = 14

/** Depth of the sea as a texture over the square from −half to half (m). 255 is `DEEPEST` and more. */
export function depthChart(heightAt: (x: number, z: number) => number, half: number): DataTexture {
  const bytes = new Uint8Array(CHART * CHART)
  for (let k = 0; k < bytes.length; k++) {
    const x = (((k % CHART) + 0.5) / CHART - 0.5) * 2 * half
    const z = ((Math.floor(k / CHART) + 0.5) / CHART - 0.5) * 2 * half
    bytes[k] = Math.min(255, Math.max(0, (-heightAt(x, z) * 255) / DEEPEST))
  }
  const texture = new DataTexture(bytes, CHART, CHART, RedFormat)
  texture.minFilter = texture.magFilter = LinearFilter
  texture.needsUpdate = true
  return texture
}
