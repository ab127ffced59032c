import {
  BackSide,
  BoxGeometry,
  CubeCamera,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  Scene,
  ShaderMaterial,
  WebGLCubeRenderTarget,
  type CubeTexture,
  type WebGLRenderer,
} from 'three'

/** Value noise and its sum over octaves (fbm), used by every sky. */
export const NOISE = /* glsl */ `
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
float noise(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  vec4 low = vec4(hash(i), hash(i + vec3(1, 0, 0)), hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)));
  vec4 high = vec4(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)));
  vec4 z = mix(low, high, f.z);
  vec2 y = mix(z.xy, z.zw, f.y);
  return mix(y.x, y.y, f.x);
}
float fbm(vec3 p) {
  float sum = 0.0, size = 0.5;
  for (int k = 0; k < 5; k++) {
    sum += size * noise(p);
    p = p * 2.03 + 17.1;
    size *= 0.5;
  }
  return sum;
}`

const DIRECTION_VERTEX = /* glsl */ `
varying vec3 vDirection;
void main() {
  vDirection = (modelMatrix * vec4(position, 0.0)).xyz;
  vec4 clip = projectionMatrix * vec4(mat3(viewMatrix) * vDirection, 1.0);
  gl_Position = clip.xyww; // on the far plane
}`

const SHOW_FRAGMENT = /* glsl */ `
uniform samplerCube sky;
varying vec3 vDirection;
#include <common>
#include <dithering_pars_fragment>
void main() {
  gl_FragColor = vec4(textureCube(sky, normalize(vDirection)).rgb, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

export interface Backdrop {
  readonly texture: CubeTexture
  readonly dome: Mesh
  /** A scene that contains only the sky, for `Stage.environmentFrom`. */
  readonly light: Scene
  /** Frees the dome. The painted cube stays cached for the next start. */
  dispose(): void
}

/**
 * Painted skies by shader source. A page shows one scene, so each sky is painted once, even if the scene
 * restarts.
 */
const painted = new Map<string, WebGLCubeRenderTarget>()

/**
 * Paints a sky once into a cube map and then shows the cube map, so that its shader may be expensive.
 * `paint` is GLSL that defines `vec3 paintSky(vec3 direction)` in linear light. `size` is the largest edge
 * length of a face in pixels; the face is smaller where the screen cannot show more (the picture is half a
 * face high).
 */
export function makeBackdrop(renderer: WebGLRenderer, paint: string, size = 1024): Backdrop {
  let target = painted.get(paint)
  if (target === undefined) {
    const finest = Math.round(2 * window.screen.height * renderer.getPixelRatio())
    target = paintCube(renderer, paint, Math.min(size, finest))
    painted.set(paint, target)
  }
  return show(target.texture)
}

function paintCube(renderer: WebGLRenderer, paint: string, size: number): WebGLCubeRenderTarget {
  const box = new BoxGeometry(2, 2, 2)
  const painter = new ShaderMaterial({
    vertexShader: DIRECTION_VERTEX,
    fragmentShader: `varying vec3 vDirection;\n${NOISE}\n${paint}\nvoid main() { gl_FragColor = vec4(paintSky(normalize(vDirection)), 1.0); }`,
    side: BackSide,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  })
  const target = new WebGLCubeRenderTarget(size, {
    type: HalfFloatType,
    generateMipmaps: true,
    minFilter: LinearMipmapLinearFilter,
    magFilter: LinearFilter,
  })
  const studio = new Scene()
  const canvas = new Mesh(box, painter)
  canvas.frustumCulled = false
  studio.add(canvas)
  const camera = new CubeCamera(0.1, 10, target)
  const { toneMapping } = renderer
  renderer.toneMapping = 0
  camera.update(renderer, studio)
  renderer.toneMapping = toneMapping
  painter.dispose()
  box.dispose()
  return target
}

function show(texture: CubeTexture): Backdrop {
  const material = new ShaderMaterial({
    vertexShader: DIRECTION_VERTEX,
    fragmentShader: SHOW_FRAGMENT,
    uniforms: { sky: { value: texture } },
    side: BackSide,
    depthWrite: false,
    dithering: true,
  })
  const dome = new Mesh(new BoxGeometry(2, 2, 2), material)
  dome.frustumCulled = false
  dome.renderOrder = -100
  dome.name = 'sky'
  const light = new Scene()
  light.background = texture
  const dispose = (): void => {
    dome.geometry.dispose()
    material.dispose()
  }
  return { texture, dome, light, dispose }
}
