import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { REPOSITORY } from '../../scripts/repository.mjs'
import { socialPreview } from '../../scripts/social-preview.mjs'
import { extendMarkdown } from '../markdown.js'
import { BEHAVIORS, fileOf, SCHEMES } from '../pages.js'
import { SEARCH } from '../search.js'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const base = process.env['SITE_BASE'] ?? '/'
const icon = readFileSync(at('assets/icon.svg'), 'utf8')

const guide = (text: string, file: string) => ({ text, link: `/guides/${file}` })

const reference = {
  text: 'Reference',
  items: [
    { text: 'Options', link: '/reference/options' },
    { text: 'Words', link: '/glossary' },
    { text: 'API', link: '/api/index.html', target: '_self' },
    { text: 'The papers', link: '/papers' },
    { text: 'Measurements', link: '/measurements' },
    { text: 'Their notebook', link: '/measurements-notebook' },
    { text: 'Architecture', link: '/ARCHITECTURE' },
    { text: 'Fast paths', link: '/fast-paths' },
    { text: 'Changelog', link: '/changelog' },
  ],
}

const guides = [
  {
    text: 'Begin',
    items: [
      { text: 'Getting started', link: '/getting-started' },
      guide('Concepts', 'concepts'),
      { text: 'All behaviours', link: '/behaviors' },
      guide('Common mistakes', 'troubleshooting'),
      guide('Tuning by symptom', 'tuning'),
    ],
  },
  {
    text: 'How to',
    items: [
      guide('Follow with the camera', 'follow-camera'),
      guide('Pause, slow motion', 'pause'),
      guide('Save and load', 'save-and-load'),
      guide('Rocks of a glTF file', 'gltf-rocks'),
      guide('Birds over a terrain', 'birds-over-terrain'),
      guide('A shot bird', 'shot-bird'),
      guide('A horde', 'horde'),
      guide('The victim of a horde', 'victim'),
    ],
  },
  {
    text: 'Guides',
    items: [
      guide('Parents and models', 'parents-and-models'),
      guide('How large is maxForce?', 'max-force'),
      guide('Gravity', 'gravity'),
      guide('Obstacles and walls', 'obstacles'),
      guide('Ways through 3D space', 'ways-through-space'),
      guide('Other agents, crowds, flocks', 'other-agents'),
      guide('Paths and formations', 'paths-and-formations'),
      guide('Directed seek and docking', 'directed-seek-and-docking'),
      guide('Combine, switch, explain', 'combining'),
      guide('Characters and cars', 'ground'),
      guide('The ship of a player', 'player'),
      guide('A small game, whole', 'small-game'),
      guide('How a game is put together', 'game'),
      guide('Determinism and snapshots', 'determinism'),
      guide('Large worlds', 'large-worlds'),
      guide('Performance', 'performance'),
      guide('From Yuka', 'from-yuka'),
    ],
  },
  {
    text: 'Where it runs',
    items: [
      guide('Physics engines', 'physics-engines'),
      guide('Rapier', 'rapier'),
      guide('A door of your own', 'write-a-door'),
      guide('React', 'react'),
      guide('Node and workers', 'node-and-workers'),
      guide('Worlds in parts: shards', 'shards'),
      guide('Agents over a network', 'net'),
      guide('From one process to many', 'server'),
      guide('Import maps', 'import-maps'),
    ],
  },
  reference,
]

const behaviors = [
  { text: 'All behaviours', link: '/behaviors' },
  ...Object.entries(BEHAVIORS).map(([text, names]) => ({
    text,
    items: names.map((name) => ({ text: name, link: `/behaviors/${fileOf(name)}` })),
  })),
  {
    text: 'Combination schemes',
    items: SCHEMES.map((name) => ({ text: name, link: `/schemes/${fileOf(name)}` })),
  },
  reference,
]

/** Pages with a picture and its code, or with wide tables. */
const WIDE = /^(behaviors[./]|schemes\/|papers|measurements|reference\/)/

export default defineConfig({
  lang: 'en',
  title: 'three-steering',
  description: 'Steering behaviours for 3D rigid bodies, by force and torque',
  base,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '../docs',
  outDir: '../site-dist',
  cacheDir: '../node_modules/.cache/vitepress',
  // pages that TypeDoc and the gallery bring; scripts/check-links.mjs checks these links as well
  ignoreDeadLinks: [/^\/(api|gallery)\//],
  markdown: {
    config: extendMarkdown,
    // as GitHub does, for links to headings
    anchor: {
      slugify: (title) =>
        title
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    theme: { light: 'github-light', dark: 'github-dark-dimmed' },
  },
  transformHead: ({ title, description }) =>
    socialPreview(title, description).map((attributes) => ['meta', attributes]),
  transformPageData(page) {
    if (WIDE.test(page.relativePath)) Object.assign(page.frontmatter, { aside: false, pageClass: 'wide' })
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: '/(getting-started|guides)' },
      { text: 'Behaviours', link: '/behaviors', activeMatch: '/(behaviors|schemes)' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: 'Gallery', link: '/gallery/index.html', target: '_self' },
    ],
    sidebar: { '/behaviors': behaviors, '/schemes/': behaviors, '/': guides },
    outline: [2, 3],
    search: SEARCH,
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    footer: { message: 'MIT license' },
  },
  vite: {
    configFile: false,
    resolve: {
      alias: [
        { find: /^#hints$/, replacement: at('src/core/hints/no-hints.ts') },
        { find: /^three-steering$/, replacement: at('src/entries/index.ts') },
        { find: /^three-steering\/(.+)$/, replacement: `${at('src/entries')}/$1.ts` },
      ],
    },
    server: { fs: { allow: [at('.')] } },
    build: { chunkSizeWarningLimit: 1500 },
  },
})
