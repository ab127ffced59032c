import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CARDS } from '../../demo/cards.js'

const assets = new URL('../../assets/', import.meta.url)

/** Most that a loop may weigh (bytes): a visitor may see all of them. */
const LARGEST = 150_000

describe('the pictures of the cards', () => {
  it.each(CARDS)('of $id have a still', ({ id }) => {
    expect(existsSync(new URL(`thumbnails/${id}.jpg`, assets))).toBe(true)
  })

  it.each(readdirSync(new URL('loops/', assets)))('have the small loop %s of a scene', (file) => {
    expect(CARDS.map(({ id }) => `${id}.webm`)).toContain(file)
    const bytes = readFileSync(new URL(`loops/${file}`, assets))
    // EBML, the first bytes of WebM
    expect([...bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3])
    expect(bytes.length).toBeLessThanOrEqual(LARGEST)
  })
})
