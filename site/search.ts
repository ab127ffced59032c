import type { DefaultTheme } from 'vitepress'

/** Pages that name everything and answer nothing: a search does not lead to them. */
const LEFT_OUT = /^(changelog|measurements|ARCHITECTURE|fast-paths|papers|reference\/|index)/

/**
 * Words as the index and a query have them: lower case, without endings, and the words of a name
 * (`FollowPath`, follow, path) beside it. VitePress sends this function to the page as text.
 */
export function wordsOf(term: string): string[] | null {
  if (
    /^(a|an|and|are|as|at|be|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|so|that|the|this|to|too|with)$/i.test(
      term,
    )
  )
    return null
  const parts = term.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  const words = (parts.length > 1 ? [term, ...parts] : [term]).map((word) => word.toLowerCase())
  return words.map((word) => (word.length > 4 ? word.replace(/(ing|ed|es|s|e)$/, '') : word))
}

/** The local search. Code is not in the index: every block imports the same names. */
export const SEARCH: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: {
    _render: (source, env, md) =>
      LEFT_OUT.test(env.relativePath) ? '' : md.render(source, env).replaceAll(/<pre[^]*?<\/pre>/g, ''),
    miniSearch: {
      options: { processTerm: wordsOf },
      searchOptions: {
        fuzzy: 0.15,
        prefix: true,
        boost: { title: 4, titles: 2, text: 1 },
        // the head of a page before its sections
        boostDocument: (_id, _term, stored) =>
          (stored?.['titles'] as string[] | undefined)?.length === 0 ? 2 : 1,
      },
    },
  },
}
