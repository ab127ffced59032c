import DefaultTheme from 'vitepress/theme'
import { defineComponent, h } from 'vue'
import { LiveScene } from './live-scene.js'

/** The default layout, with a flock on the first page. */
export const Layout = defineComponent({
  name: 'Layout',
  setup: () => () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () =>
        h('div', { class: 'hero-scene' }, [h(LiveScene, { name: 'flocking', bare: true })]),
    }),
})
