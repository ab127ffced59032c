// Runs before each vitest file: a test that makes the console complain fails, unless it called `expectConsole()`.
import { afterEach, expect } from 'vitest'
import { takeUnexpectedCalls, watchConsole } from './console.js'

watchConsole('error')
watchConsole('warn')

afterEach(() => {
  expect(takeUnexpectedCalls(), 'unexpected console output').toEqual([])
})
