// @ts-check
import packageJson from '../package.json' with { type: 'json' }

// package.json is the one place that defines these addresses. test/readme/addresses.test.ts finds others.

/** Address of the repository, for links to its files. */
export const REPOSITORY = packageJson.repository.url.replace(/^git\+|\.git$/g, '')

/** Where the site is served: the pages of `docs/`, the API at `api/`, and the gallery. Ends with `/`. */
export const SITE = packageJson.homepage

/** Where the gallery is served. A scene is at `?scene=` and the name of its file in `demo/scenes/`. */
export const GALLERY = `${SITE}gallery/`
