import { Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three'
import { WORLD_VERTEX } from './shaders.js'
import { ADDS_LIGHT } from './soft-points.js'

const FRAGMENT = /* glsl */ `
uniform float cell, reach;
uniform vec3 middle;
varying vec3 vWorld;
float lines(vec2 at, float size, float thick) {
  vec2 p = at / size;
  vec2 blur = max(fwidth(p), 1e-5);
  vec2 apart = abs(fract(p - 0.5) - 0.5) / blur;
  float line = 1.0 - min(1.0, min(apart.x, apart.y) / thick);
  // where lines are finer than pixels, a uniform tint
  return mix(line, 0.25, smoothstep(0.15, 0.6, max(blur.x, blur.y)));
}
void main() {
  float away = length(vWorld.xz - middle.xz) / reach;
  float fade = pow(max(0.0, 1.0 - away), 1.6);
  float grid = 0.35 * lines(vWorld.xz, cell, 1.0) + 0.65 * lines(vWorld.xz, 4.0 * cell, 1.3);
  float light = fade * (0.075 * grid + 0.006);
  gl_FragColor = vec4(vec3(0.34, 0.52, 0.86) * light, 1.0);
  #include <colorspace_fragment>
}`

/** A horizontal grid that fades away from its centre. */
export class FloorGrid extends Mesh<PlaneGeometry, ShaderMaterial> {
  constructor() {
    super(
      new PlaneGeometry(2, 2).rotateX(-Math.PI / 2),
      new ShaderMaterial({
        vertexShader: WORLD_VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { cell: { value: 1 }, reach: { value: 1 }, middle: { value: new Vector3() } },
        ...ADDS_LIGHT,
        side: 2,
      }),
    )
    this.renderOrder = -10
    this.name = 'floor'
  }

  /** Moves the centre of the grid. It extends `reach` m from there, in cells of `cell` m. */
  lay(middle: Vector3, reach: number, cell: number): void {
    this.position.copy(middle)
    this.scale.setScalar(reach)
    const { uniforms } = this.material
    uniforms['cell']!.value = cell
    uniforms['reach']!.value = reach
    uniforms['middle']!.value = this.position
  }
}
