import type { Vector3Like } from 'three'

/** Parts of shaders that several views share. */

/** Vertex shader that gives the place in the world, `vWorld`. */
export const WORLD_VERTEX = /* glsl */ `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

/** A constant vector in GLSL. */
export function constant(name: string, { x, y, z }: Vector3Like): string {
  return `const vec3 ${name} = vec3(${[x, y, z].map((part) => part.toFixed(5)).join(', ')});`
}
