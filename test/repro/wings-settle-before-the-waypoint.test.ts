import { expect, it } from 'vitest'
import { DirectedSeek } from 'three-steering'
import { optimum } from '../acceptance/directed-seek-kit.js'
import { flyTrials, seekTrial } from '../rigs/directed-seek.js'

// Wings that bank were still correcting their offset when they passed the waypoint, were 2.5° off its
// heading, and flew another circle. Or the room for their roll made the path longer by a whole turn.
it.each([
  ['at the first pass', [10, 20, 43]],
  ['without an additional turn', [34, 86]],
])('wings that bank meet a near waypoint %s', (_, seeds) => {
  const trials = seeds.map((seed) => seekTrial('near', seed, false, { agent: 'body', optimum }))
  const results = flyTrials(
    trials,
    ({ radius, speed }, target) => new DirectedSeek({ target, radius: radius(1), speed }),
  )
  const long = results.filter(({ success, ratio }) => !success || ratio > 1.6)
  expect(long.map(({ trial }) => trial.seed)).toEqual([])
})
