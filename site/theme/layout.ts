import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { computed, defineComponent, h, onMounted, ref } from 'vue'

/** The loops of the gallery that the first page shows one after another. */
const SCENES = ['murmuration', 'docking', 'reef', 'needle', 'street', 'station']

const HeroFilm = defineComponent({
  name: 'HeroFilm',
  setup() {
    const shown = ref(0)
    const moves = ref(false)
    const scene = computed(() => SCENES[shown.value % SCENES.length])
    onMounted(() => (moves.value = !window.matchMedia('(prefers-reduced-motion: reduce)').matches))
    return () =>
      h(
        'a',
        {
          class: 'hero-film',
          href: withBase('/gallery/index.html'),
          target: '_self',
          'aria-label': 'The gallery',
        },
        [
          h('video', {
            poster: withBase(`/gallery/thumbnails/${scene.value}.jpg`),
            muted: true,
            playsinline: true,
            ...(moves.value ? { autoplay: true, src: withBase(`/gallery/loops/${scene.value}.webm`) } : {}),
            onEnded: () => shown.value++,
          }),
        ],
      )
  },
})

/** The default layout, with a film of the gallery on the first page. */
export const Layout = defineComponent({
  name: 'Layout',
  setup: () => () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(HeroFilm) }),
})
