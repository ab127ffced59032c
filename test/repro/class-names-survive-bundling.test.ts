import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { alias } from '../../vite.config.js'
import { twoPilots } from '../support/two-pilots.js'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'

// Explanations, faults and snapshots named behaviours by their classes, and bundlers shorten class names. So
// explanations could not be read in production, and a game saved there could not be loaded in the next build.

async function bundled(): Promise<typeof twoPilots> {
  const input = fileURLToPath(new URL('../support/two-pilots.ts', import.meta.url))
  const made = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: { write: false, minify: true, lib: { entry: input, formats: ['es'] } },
  })
  const [output] = [made].flat()
  if (output === undefined || !('output' in output)) throw new Error('no output')
  const code = output.output[0].code
  expect(code).not.toMatch(/class AvoidObstacles/)
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const module = (await import(/* @vite-ignore */ url)) as { twoPilots: typeof twoPilots }
  return module.twoPilots
}

it('names in a bundle are those of the sources, and a snapshot from one bundle continues in another', async () => {
  const [here, there] = [twoPilots(), (await bundled())()]
  for (let i = 0; i < 60; i++) here.world.step(1 / 60)
  restoreSnapshot(there.world, JSON.parse(JSON.stringify(takeSnapshot(here.world))))
  for (const { world } of [here, there]) for (let i = 0; i < 60; i++) world.step(1 / 60)
  expect(there.why.root?.name).toBe('Within')
  const names = ['AvoidObstacles', 'ReciprocalAvoidance', 'Arrive', 'Wander']
  expect(there.why.root?.children.map(({ name }) => name)).toEqual(names)
  expect(JSON.stringify(there.why)).toBe(JSON.stringify(here.why))
  expect(takeSnapshot(there.world)).toEqual(takeSnapshot(here.world))
}, 60_000)
