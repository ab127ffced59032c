import { Group, Quaternion, Vector3, type ColorRepresentation } from 'three'
import type { Waypoint } from 'three-steering'
import { circlePoints, FatLine } from './fat-line.js'
import { Label } from './label.js'

const NOSE = new Vector3(0, 0, 1)
const turn = new Quaternion()
const ahead = new Vector3()

/** A pose to fly through: a hoop with an arrow. Sizes are for a hoop of radius 1 m. */
export class PoseMark {
  readonly object = new Group()
  readonly #label: Label
  readonly #heading: Label

  constructor(letter: string, color: ColorRepresentation & string) {
    const line = (points: number[], width: number, opacity: number): FatLine => {
      const made = new FatLine({ color, width, opacity, order: 8 })
      made.points = points
      return made
    }
    const hoop = circlePoints(64)
    const arrow = [0, 0, -1.1, 0, 0, 3.4]
    const tip = [-0.32, 0, 2.6, 0, 0, 3.4, 0.32, 0, 2.6]
    const other = [0, -0.32, 2.6, 0, 0, 3.4, 0, 0.32, 2.6]
    this.object.add(line(hoop, 2.2, 0.95), line(hoop, 6, 0.1))
    this.object.add(line(arrow, 1.8, 0.9), line(tip, 1.8, 0.9), line(other, 1.8, 0.9))
    this.#label = new Label(letter, { color, size: 0.038, drop: 1 })
    this.#heading = new Label('d', { below: letter, color, size: 0.028, drop: -0.2 })
    this.#heading.position.set(0, 0, 3.9)
    this.object.add(this.#label, this.#heading)
    this.object.name = `mark ${letter}`
  }

  /** `letters` is the size of the labels. */
  show({ position, heading }: Waypoint, size: number, letters = size): void {
    this.object.position.copy(position)
    this.object.quaternion.copy(turn.setFromUnitVectors(NOSE, ahead.copy(heading).normalize()))
    this.object.scale.setScalar(size)
    for (const label of [this.#label, this.#heading]) label.size = letters / size
  }

  dispose(): void {
    this.#label.dispose()
    this.#heading.dispose()
  }
}
