// @ts-check
import packageJson from '../package.json' with { type: 'json' }

/** Address of the repository, for links to its files. package.json is the one place that defines it. */
export const REPOSITORY = packageJson.repository.url.replace(/^git\+|\.git$/g, '')
