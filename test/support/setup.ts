// Runs before each vitest file: a test that makes the console complain fails, unless it called `expectConsole()`.
import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { takeUnexpectedCalls, watchConsole } from './console.js'

// What passes on one machine passes on every other. `CASES=2` tries other cases.
fc.configureGlobal({ seed: Number(globalThis.process?.env['CASES'] ?? 1) })

watchConsole('error')
watchConsole('warn')

afterEach(() => {
  expect(takeUnexpectedCalls(), 'unexpected console output').toEqual([])
})
