import { DisplayLine } from './display-line.js'
import { vec } from './vectors.js'

const QUARTER = Math.PI / 2
const DEGREE = Math.PI / 180
const EAST = vec(1, 0, 0)

/**
 * The line that the formation flies, closed to a lap. The crowd is at the origin and looks towards −z. Each
 * figure begins in the line early enough for the formation to change its pattern before the figure itself.
 */
export function airShowLine(): DisplayLine {
  const line = new DisplayLine(vec(-640, 90, -560), EAST)
  line
    .call('pass')
    .until('x', -400)
    .call('loop')
    .until('x', -40)
    .pitch(4 * QUARTER, 118)
  line
    .call('wing-over')
    .until('x', 640)
    .sweep(780, -2 * QUARTER, 0, 24 * DEGREE)
  line.call('carousel').straight(240).twist(2, 860).straight(20)
  line.call('away').straight(330).sweep(440, -QUARTER).straight(160).sweep(440, -QUARTER)
  line.call('astern').until('x', -200).sweep(440, -QUARTER)
  line
    .call('climb')
    .until('z', -400)
    .pitch(54 * DEGREE, 140)
  line.call('over').sweep(700, -QUARTER, -8 * DEGREE)
  line
    .call('home')
    .straight(620)
    .call('return')
    .straight(300)
    .sweep(840, -2 * QUARTER, -17 * DEGREE)
  return line.close(EAST, 850)
}
