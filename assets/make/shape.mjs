/**
 * A small modeller: closed low-poly solids with one flat normal and one colour per triangle.
 * Nose +Z, top +Y, so port is +X. Lengths in metres.
 */

/** '#rrggbb' as linear red, green, blue, which is what COLOR_0 of a glTF holds. */
export function linear(hex) {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
}

export const add = (a, b) => a.map((value, k) => value + b[k])
export const sub = (a, b) => a.map((value, k) => value - b[k])
export const scale = (a, k) => a.map((value) => value * k)
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const unit = (a) => scale(a, 1 / (Math.hypot(...a) || 1))

/** Triangles of one material. A triangle is three points and their linear colours. */
export class Shape {
  constructor(triangles = []) {
    this.triangles = triangles
  }

  triangle(a, b, c, color) {
    return this.blended([a, b, c], [color, color, color])
  }

  /** A triangle whose colour changes from corner to corner. */
  blended(points, colors) {
    this.triangles.push({ points, colors })
    return this
  }

  quad(a, b, c, d, color) {
    return this.triangle(a, b, c, color).triangle(a, c, d, color)
  }

  add(...shapes) {
    for (const shape of shapes) this.triangles.push(...shape.triangles)
    return this
  }

  /** The same shape with every point passed through `move`. Mirrors turn the winding, so it is put right again. */
  map(move) {
    const turned = new Shape(
      this.triangles.map(({ points, colors }) => ({ points: points.map(move), colors })),
    )
    return Math.sign(turned.volume()) === Math.sign(this.volume()) ? turned : turned.flip()
  }

  move(x, y, z) {
    return this.map((p) => [p[0] + x, p[1] + y, p[2] + z])
  }

  /** Turns about one axis: 0 = x, 1 = y, 2 = z. */
  turn(axis, angle) {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    return this.map((p) => {
      const q = [...p]
      q[i] = c * p[i] - s * p[j]
      q[j] = s * p[i] + c * p[j]
      return q
    })
  }

  /** This shape and its mirror image to the other side. */
  both() {
    return new Shape([...this.triangles, ...this.map((p) => [-p[0], p[1], p[2]]).triangles])
  }

  flip() {
    return new Shape(
      this.triangles.map(({ points: [a, b, c], colors: [p, q, r] }) => ({
        points: [a, c, b],
        colors: [p, r, q],
      })),
    )
  }

  volume() {
    return this.triangles.reduce((sum, { points: [a, b, c] }) => sum + dot(a, cross(b, c)) / 6, 0)
  }

  /** Faces outwards whatever the order in which the points were given. */
  outward() {
    return this.volume() < 0 ? this.flip() : this
  }
}

/** Skin over a row of rings with equally many points, ends closed. `paint(ring, side)` gives each panel's colour. */
export function loft(rings, paint, { closed = false, caps = true } = {}) {
  const shape = new Shape()
  const sides = rings[0].length
  const color = typeof paint === 'function' ? paint : () => paint
  for (let i = 0; i + (closed ? 0 : 1) < rings.length; i++) {
    const [a, b] = [rings[i], rings[(i + 1) % rings.length]]
    for (let k = 0; k < sides; k++) {
      const next = (k + 1) % sides
      shape.quad(a[k], a[next], b[next], b[k], color(i, k))
    }
  }
  if (caps && !closed) {
    for (const [ring, i, turned] of [
      [rings[0], 0, true],
      [rings.at(-1), rings.length - 2, false],
    ]) {
      for (let k = 1; k + 1 < sides; k++) {
        const [b, c] = turned ? [ring[k + 1], ring[k]] : [ring[k], ring[k + 1]]
        shape.triangle(ring[0], b, c, color(i, k))
      }
    }
  }
  return shape.outward()
}

/** A ring in the plane z, half as wide as `w` and as high as `h`; power 2 is an ellipse, more is boxier. */
export function ring(z, w, h, { y = 0, x = 0, sides = 10, power = 2, turn = 0.5 } = {}) {
  return Array.from({ length: sides }, (_, k) => {
    const angle = ((k + turn) / sides) * 2 * Math.PI
    const bend = (value) => Math.sign(value) * Math.abs(value) ** (2 / power)
    return [x + w * bend(Math.cos(angle)), y + h * bend(Math.sin(angle)), z]
  })
}

/** A tube along z through `[z, radius]` pairs. */
export function lathe(profile, paint, { sides = 12, closed = false } = {}) {
  return loft(
    profile.map(([z, radius]) => ring(z, radius, radius, { sides })),
    paint,
    { closed },
  )
}

export function box(width, height, depth, paint) {
  const ringAt = (z) => [
    [width / 2, height / 2, z],
    [-width / 2, height / 2, z],
    [-width / 2, -height / 2, z],
    [width / 2, -height / 2, z],
  ]
  return loft([ringAt(-depth / 2), ringAt(depth / 2)], paint)
}

/** A torus about z. */
export function torus(radius, tube, paint, { segments = 24, sides = 6, flat = 1 } = {}) {
  const rings = Array.from({ length: segments }, (_, i) => {
    const around = (i / segments) * 2 * Math.PI
    return Array.from({ length: sides }, (_, k) => {
      const angle = ((k + 0.5) / sides) * 2 * Math.PI
      const r = radius + tube * Math.cos(angle)
      return [r * Math.cos(around), r * Math.sin(around), tube * flat * Math.sin(angle)]
    })
  })
  return loft(rings, paint, { closed: true })
}

/** A geodesic sphere; `shape(direction)` gives the radius along a unit direction, `paint(direction)` the colour there. */
export function ball(detail, shape, paint) {
  const g = (1 + Math.sqrt(5)) / 2
  const corners = [
    [-1, g, 0], [1, g, 0], [-1, -g, 0], [1, -g, 0], [0, -1, g], [0, 1, g],
    [0, -1, -g], [0, 1, -g], [g, 0, -1], [g, 0, 1], [-g, 0, -1], [-g, 0, 1]
  ].map(unit) // prettier-ignore
  let faces = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4],
    [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8],
    [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1]
  ].map((face) => face.map((k) => corners[k])) // prettier-ignore
  for (let level = 0; level < detail; level++) {
    faces = faces.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [unit(add(a, b)), unit(add(b, c)), unit(add(c, a))]
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ]
    })
  }
  const solid = new Shape()
  for (const face of faces) {
    solid.blended(
      face.map((p) => scale(p, shape(p))),
      face.map(paint),
    )
  }
  return solid
}
