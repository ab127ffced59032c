import { CircleGeometry, Color, Mesh, ShaderMaterial, type CubeTexture, type Texture } from 'three'
import { DEEPEST } from './depth-chart.js'
import { WORLD_VERTEX } from './shaders.js'

const FRAGMENT = /* glsl */ `
uniform samplerCube sky;
uniform float time, charted, brightest;
uniform vec3 deep, shallow;
uniform sampler2D chart;
varying vec3 vWorld;
#include <common>
#include <dithering_pars_fragment>

// two sets of long waves and one of ripples, as slopes
vec2 slope(vec2 p) {
  vec2 s = vec2(0.0);
  s += vec2(0.8, 0.5) * cos(dot(p, vec2(0.31, 0.17)) + time * 0.9);
  s += vec2(-0.4, 0.9) * cos(dot(p, vec2(-0.13, 0.43)) + time * 1.1);
  s += vec2(0.6, -0.7) * cos(dot(p, vec2(0.71, -0.62)) + time * 1.7 + 2.0 * sin(p.x * 0.11));
  s += vec2(0.3, 0.9) * cos(dot(p, vec2(0.42, 1.53)) + time * 2.3 + 2.0 * sin(p.y * 0.07));
  s += vec2(0.9, -0.2) * cos(dot(p, vec2(2.1, -0.4)) + time * 2.9 + sin(p.y * 0.31));
  return s;
}

void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 ray = eye / far;
  float calm = 1.0 / (1.0 + far * 0.012);
  vec2 s = slope(vWorld.xz) * mix(0.0002, 0.016, calm * calm);
  vec3 normal = normalize(vec3(-s.x, 1.0, -s.y * 1.6));
  vec3 mirror = reflect(ray, normal);
  mirror.y = abs(mirror.y);
  float fresnel = 0.06 + 0.94 * pow(1.0 - max(0.0, -dot(ray, normal)), 4.0);
  vec3 light = min(textureCube(sky, mirror).rgb, brightest);
  vec3 body = deep;
  vec2 place = vWorld.xz / (2.0 * max(charted, 1.0)) + 0.5;
  if (charted > 0.0 && max(abs(place.x - 0.5), abs(place.y - 0.5)) < 0.5) {
    float depth = DEEPEST * texture2D(chart, place).r;
    body = mix(shallow, deep, 1.0 - exp(-depth / 3.4));
    // surf
    float surf = sin(2.6 * depth - 1.3 * time + 2.0 * sin(0.13 * vWorld.x + 0.09 * vWorld.z));
    float foam = smoothstep(0.75, 0.98, surf) * smoothstep(1.5, 0.2, depth) + smoothstep(0.5, 0.05, depth);
    body = mix(body, vec3(0.85, 0.82, 0.78), 0.75 * min(1.0, foam));
  }
  vec3 color = mix(body, light * vec3(0.86, 0.84, 0.9), fresnel);
  // the far shore fades into the haze
  vec3 shore = textureCube(sky, vec3(ray.x, 0.004, ray.z)).rgb;
  gl_FragColor = vec4(mix(color, shore, smoothstep(700.0, 2200.0, far)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

export interface LakeOptions {
  /** Colours of deep and of shallow water. */
  readonly deep?: Color
  readonly shallow?: Color
  /** Depths over the square from −half to half (m), see `depthChart`. Default deep everywhere. */
  readonly chart?: Texture
  readonly half?: number
  /** Brightest reflection. Waves spread the image of the sun. Default without a limit. */
  readonly brightest?: number
}

/** Still water at height 0 that reflects a painted sky. */
export class Lake {
  readonly object: Mesh<CircleGeometry, ShaderMaterial>

  constructor(sky: CubeTexture, { deep, shallow, chart, half = 0, brightest = 1e4 }: LakeOptions = {}) {
    const material = new ShaderMaterial({
      vertexShader: WORLD_VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        sky: { value: sky },
        time: { value: 0 },
        deep: { value: deep ?? new Color(0.012, 0.02, 0.045) },
        shallow: { value: shallow ?? new Color(0, 0, 0) },
        chart: { value: chart ?? null },
        charted: { value: half },
        brightest: { value: brightest },
      },
      defines: { DEEPEST: DEEPEST.toFixed(1) },
      dithering: true,
    })
    this.object = new Mesh(new CircleGeometry(3000, 48).rotateX(-Math.PI / 2), material)
    this.object.renderOrder = -50
    this.object.name = 'lake'
  }

  set time(seconds: number) {
    this.object.material.uniforms['time']!.value = seconds
  }
}
