// Runs before each vitest file: a test that makes the console complain fails, unless it called
// `expectConsole()`.
import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { AvoidObstacles, blend, Obstacles, Wander } from 'three-steering'
import { expectConsole, takeUnexpectedCalls, watchConsole } from './console.js'

// What passes on one machine passes on every other. `CASES=2` tries other cases.
fc.configureGlobal({ seed: Number(globalThis.process?.env['CASES'] ?? 1) })

watchConsole('error')
watchConsole('warn')

// told once in a process: here, since comparisons fly such blends on purpose
expectConsole()
blend([new AvoidObstacles({ obstacles: new Obstacles() }), new Wander()])
takeUnexpectedCalls()

afterEach(() => {
  expect(takeUnexpectedCalls(), 'unexpected console output').toEqual([])
})
