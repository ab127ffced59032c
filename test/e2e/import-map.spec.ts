import { readFileSync } from 'node:fs'
import { expect, test } from './fixture.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = /```html\n([^]*?)```/.exec(read('docs/guides/import-maps.md'))![1]!

test('the import map names every entry of the package', () => {
  const { imports } = JSON.parse(/importmap">([^]*?)<\/script>/.exec(page)![1]!) as {
    imports: Record<string, string>
  }
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { node?: string }> }
  for (const [entry, { node }] of Object.entries(exports))
    if (node !== undefined)
      expect(imports[`three-steering${entry.slice(1)}`]).toBe(`/node_modules/three-steering/${node.slice(2)}`)
})

test('the page of the guide flies without a bundler, in few requests', async ({ page: tab }) => {
  test.slow()
  const loaded: string[] = []
  // as a static server beside node_modules, in which the package is installed
  await tab.route('http://import-map.test/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/favicon.ico') return route.fulfill({ status: 204 })
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: page })
    loaded.push(pathname)
    const body = read(pathname.slice(1).replace('node_modules/three-steering/', ''))
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  await tab.goto('http://import-map.test/')
  // with few pictures a second it flies slowly, because a frame makes up for little time
  await expect(tab.locator('#state')).toHaveText('arrived by Arrive', { timeout: 300_000 })
  expect(loaded.filter((path) => path.includes('three-steering')).length).toBeLessThan(8)
})
