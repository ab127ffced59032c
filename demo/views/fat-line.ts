import { AdditiveBlending, Color, NormalBlending, type ColorRepresentation } from 'three'
import { Line2 } from 'three/addons/lines/Line2.js'
import { LineGeometry } from 'three/addons/lines/LineGeometry.js'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'

export interface FatLineOptions {
  readonly color: ColorRepresentation
  /** Line width in CSS pixels. */
  readonly width?: number
  readonly opacity?: number
  /** Lengths of dash and gap, in units of the line's geometry. Default none. */
  readonly dash?: number
  readonly gap?: number
  /** Whether the colour is added to the background. Default true. */
  readonly additive?: boolean
  readonly order?: number
}

/** A line with a constant width on the screen. */
export class FatLine extends Line2 {
  constructor({
    color,
    width = 1.5,
    opacity = 1,
    dash = 0,
    gap = dash,
    additive = true,
    order = 0,
  }: FatLineOptions) {
    super(
      new LineGeometry(),
      new LineMaterial({
        color: new Color(color).getHex(),
        linewidth: width,
        transparent: true,
        opacity,
        depthWrite: false,
        toneMapped: false,
        dashed: dash > 0,
        dashSize: dash,
        gapSize: gap,
        blending: additive ? AdditiveBlending : NormalBlending,
      }),
    )
    this.frustumCulled = false
    this.renderOrder = order
    this.visible = false
  }

  /** Sets the points x, y, z, x, y, z, … Fewer than two points hide the line. */
  set points(places: readonly number[]) {
    this.visible = places.length >= 6
    if (!this.visible) return
    // the number of segments is fixed when a geometry is first drawn
    this.geometry.dispose()
    this.geometry = new LineGeometry().setPositions(places as number[])
    if (this.material.dashed) this.computeLineDistances()
  }
}

/** Points of a closed circle of radius 1 about z. */
export function circlePoints(segments = 96): number[] {
  return Array.from({ length: segments + 1 }, (_, k) => {
    const angle = (k / segments) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle), 0]
  }).flat()
}
