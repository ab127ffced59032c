import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { PREVIEW, previewOfPages, socialPreview } from '../../scripts/social-preview.mjs'

/** Width and height of a JPEG, from the header of its frame. */
function sizeOf(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at)
    if (marker === 0xffc0 || marker === 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  }
  throw new Error('no frame')
}

describe('the preview of a link', () => {
  it('has a picture of the size that it says, in the repository that package.json names', () => {
    const { width, height } = PREVIEW
    expect(sizeOf(readFileSync(new URL(`../../${PREVIEW.file}`, import.meta.url)))).toEqual({ width, height })
    const { host, pathname } = new URL(PREVIEW.address)
    expect(host).toBe('raw.githubusercontent.com')
    const [, repository] = /github\.com(\/.*)\.git$/.exec(packageJson.repository.url)!
    expect(pathname).toBe(`${repository}/main/${PREVIEW.file}`)
  })

  it('has title and description of its page', () => {
    const html = readFileSync(new URL('../../demo/index.html', import.meta.url), 'utf8')
    const transform = previewOfPages().transformIndexHtml as unknown as (html: string) => { attrs: object }[]
    const attrs = transform(html).map((tag) => tag.attrs)
    const title = /<title>(.+)<\/title>/.exec(html)![1]!
    const description = /content="(Flocks[^"]+)"/.exec(html)![1]!
    expect(attrs).toEqual(socialPreview(title, description))
    expect(attrs).toContainEqual({ property: 'og:title', content: title })
    expect(attrs).toContainEqual({ property: 'og:description', content: description })
  })
})
