// Runs before each vitest file: a test with console errors or warnings fails, unless it called
// `expectConsole()`.
import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { AvoidObstacles, blend, Obstacles, Wander } from 'three-steering'
import { expectConsole, takeUnexpectedCalls, watchConsole } from './console.js'
import { pick } from './tier.js'

// A fixed seed, so that all machines test the same cases. `CASES=2` tests other cases.
fc.configureGlobal({
  seed: Number(globalThis.process?.env['CASES'] ?? 1),
  numRuns: pick(40, 100),
})

watchConsole('error')
watchConsole('warn')

// this warning comes once per process: it is triggered here, because comparisons use such blends on purpose
expectConsole()
blend([new AvoidObstacles({ obstacles: new Obstacles() }), new Wander()])
takeUnexpectedCalls()

afterEach(() => {
  expect(takeUnexpectedCalls(), 'unexpected console output').toEqual([])
})
