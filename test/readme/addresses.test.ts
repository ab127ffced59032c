import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { GALLERY, REPOSITORY, SITE } from '../../scripts/repository.mjs'

// package.json says where repository, site and gallery are. Texts repeat these addresses.

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const folders = ['.', '.github', 'demo', 'docs', 'examples/server', 'scripts', 'site', 'src']
const files = folders
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: folder !== '.', encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter(
    (file) => /\.(md|json|yml|ts|tsx|mjs|html|css)$/.test(file) && !/package-lock|node_modules/.test(file),
  )

/** Addresses of hosts or accounts that are named as the package. */
const ADDRESS = /https:\/\/(?:[\w.-]*three-steering\.[\w.-]+|[\w.-]+\/three-steering)(?:\/[^\s"'`)<>]*)?/g
const addresses = files.flatMap((file) =>
  [...read(file).matchAll(ADDRESS)].map(([address]) => ({ file, address: address.replace(/\.$/, '') })),
)

describe('the addresses', () => {
  it('are of the site or the repository that package.json names', () => {
    expect(addresses.length).toBeGreaterThan(5)
    const other = addresses.filter(
      ({ address }) =>
        !`${address}/`.startsWith(SITE) &&
        !`${address}/`.startsWith(`${REPOSITORY}/`) &&
        address !== `${REPOSITORY}.git`,
    )
    expect(other).toEqual([])
  })

  it('of the site lead to scenes and pages that are there', () => {
    const missing = addresses.filter(({ address }) => {
      if (!address.startsWith(SITE)) return false
      const { pathname, searchParams } = new URL(address)
      const page = pathname.slice(new URL(SITE).pathname.length)
      const scene = searchParams.get('scene')
      if (address.startsWith(GALLERY))
        return scene !== null && !existsSync(new URL(`demo/scenes/${scene}.ts`, root))
      return page !== '' && !existsSync(new URL(`docs/${page}.md`, root))
    })
    expect(missing).toEqual([])
  })

  it('have an end at which pages and scenes can be added', () => {
    expect(SITE).toBe(`${new URL(SITE).origin}/${REPOSITORY.split('/').at(-1)}/`)
    expect(packageJson.bugs).toBe(`${REPOSITORY}/issues`)
  })
})
