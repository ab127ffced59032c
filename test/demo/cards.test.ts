import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CARDS, GROUPS, TOP } from '../../demo/cards.js'
import { linked, pagesOf } from '../../demo/links.js'
import { REPOSITORY, SITE } from '../../scripts/repository.mjs'

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

describe('the cards', () => {
  it('are in groups of several, in the order of the groups, with six large ones on top', () => {
    const order = CARDS.map(({ group }) => GROUPS.indexOf(group))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    for (const group of GROUPS) expect(CARDS.filter((card) => card.group === group).length).toBeGreaterThan(1)
    expect(TOP).toHaveLength(6)
    expect(CARDS.filter(({ id }) => TOP.includes(id))).toHaveLength(6)
  })

  it.each(CARDS)('$id links to pages about its behaviours, and to files, that exist', (card) => {
    const credits = card.behaviors.flatMap(({ name }) => linked(name)).flatMap(({ href }) => href ?? [])
    expect(credits.length).toBeGreaterThan(0)
    const files = [...credits, ...pagesOf(card).map(({ href }) => href)].map((href) =>
      href
        .replace(`${REPOSITORY}/blob/main/`, '')
        .replace(SITE, 'docs/')
        .replace(/\.html$/, '.md'),
    )
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
  })
})
