// @ts-check
import { REPOSITORY } from './repository.mjs'

/** The picture that is shown where a page is linked. The address is absolute, since a page does not know its own. */
export const PREVIEW = {
  file: 'assets/pictures/preview.jpg',
  address: `${REPOSITORY.replace('//github.com/', '//raw.githubusercontent.com/')}/main/assets/pictures/preview.jpg`,
  width: 1200,
  height: 630,
}

/**
 * Attributes of the `meta` elements from which messengers and social media make the preview of a link.
 *
 * @param {string} title
 * @param {string} description
 * @returns {Record<string, string>[]}
 */
export function socialPreview(title, description) {
  return [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'three-steering' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:image', content: PREVIEW.address },
    { property: 'og:image:width', content: String(PREVIEW.width) },
    { property: 'og:image:height', content: String(PREVIEW.height) },
    { property: 'og:image:alt', content: 'Scenes of the gallery of three-steering' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

/**
 * Vite plugin: the preview of a page, by its title and description.
 *
 * @returns {import('vite').Plugin}
 */
export function previewOfPages() {
  return {
    name: 'social-preview',
    transformIndexHtml(html) {
      const title = /<title>([^<]*)</.exec(html)?.[1] ?? ''
      const description = /name="description"\s+content="([^"]*)"/.exec(html)?.[1] ?? ''
      return socialPreview(title, description).map((attrs) => ({ tag: 'meta', attrs, injectTo: 'head' }))
    },
  }
}
