import { readdirSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { SEARCH, wordsOf } from '../../site/search.js'
import { ALL } from '../support/tier.js'

// What users type into the search of the site, and the page that must come first.

const QUERIES = [
  ['dock to a rotating station', 'behaviors/dock'],
  ['follow a path', 'behaviors/follow-path'],
  ['avoid obstacles', 'behaviors/avoid-obstacles'],
  ['turn towards a target', 'behaviors/face'],
  ['zombies chase the player', 'guides/horde'],
  ['camera behind the ship', 'guides/follow-camera'],
  ['pause the game', 'guides/pause'],
  ['save and load', 'guides/save-and-load'],
  ['agent does not move', 'guides/troubleshooting'],
  ['react three fiber', 'guides/react'],
  ['land on a runway', 'behaviors/land'],
  ['birds over mountains terrain', 'guides/birds-over-terrain'],
] as const

it('a word of the index has no ending, and a name has its words beside it', () => {
  expect(wordsOf('Rotating')).toEqual(['rotat'])
  expect(wordsOf('FollowPath')).toEqual(['followpath', 'follow', 'path'])
  expect(wordsOf('a')).toBe(null)
})

// `npm run test:all` has built the site
describe.runIf(ALL)('the search of the site', () => {
  const folder = new URL('../../site-dist/assets/chunks/', import.meta.url)
  const search = async (): Promise<MiniSearch> => {
    const file = readdirSync(folder).find((name) => name.startsWith('@localSearchIndexroot'))!
    const index = (await import(/* @vite-ignore */ new URL(file, folder).href)) as { default: string }
    const { miniSearch } = (SEARCH as { options: { miniSearch: Record<string, object> } }).options
    // as the page does
    return MiniSearch.loadJSON(index.default, {
      fields: ['title', 'titles', 'text'],
      storeFields: ['title', 'titles'],
      searchOptions: miniSearch['searchOptions']!,
      ...miniSearch['options'],
    })
  }

  it.each(QUERIES)('finds by "%s" the page %s first', async (query, page) => {
    const found = (await search()).search(query)
    expect(String(found[0]!.id)).toMatch(new RegExp(`/${page}\\.html`))
  })

  it('does not lead to what answers nothing', async () => {
    const ids = (await search()).search('behaviour agent flock time').map(({ id }) => String(id))
    expect(ids.length).toBeGreaterThan(20)
    expect(ids.filter((id) => /changelog|measurements|ARCHITECTURE|fast-paths/.test(id))).toEqual([])
  })
})
