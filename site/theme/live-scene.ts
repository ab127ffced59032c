import { useData } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue'
import type { Player } from '../live/player.js'
import type { Slider } from '../live/sliders.js'
import type { Scene } from '../scene.js'

type SceneModule = { readonly start: () => Scene }
// outlines of the signs on the buttons
const PLAY = 'M4 2v12l10-6z'
const PAUSE = 'M3 2h4v12H3zM9 2h4v12H9z'
const AGAIN = 'M8 2a6 6 0 1 0 6 6h-2a4 4 0 1 1-4-4v3l4-4-4-4z'

const modules = import.meta.glob<SceneModule>('../scenes/*.ts')

/** The picture of a scene. It is loaded when it is first seen, and runs while it is seen. */
export const LiveScene = defineComponent({
  name: 'LiveScene',
  props: {
    /** File name in site/scenes, without its ending. */
    name: { type: String, required: true },
  },
  setup(props) {
    const { isDark } = useData()
    const box = ref<HTMLElement | null>(null)
    const isPlaying = ref(false)
    const sliders = shallowRef<readonly Slider[]>([])
    const readout = ref('')
    const hint = ref('')
    const error = ref('')
    let player: Player | undefined
    let observer: IntersectionObserver | undefined
    let isSeen = false
    let isWanted = true
    let isGone = false
    let isLoading = false

    function update(): void {
      if (isSeen && isWanted) player?.play()
      else player?.pause()
      isPlaying.value = isWanted
    }

    async function load(): Promise<void> {
      if (isLoading || box.value === null) return
      isLoading = true
      try {
        const [{ Player }, { start }] = await Promise.all([
          import('../live/player.js'),
          modules[`../scenes/${props.name}.ts`]!(),
        ])
        if (isGone) return
        player = new Player(box.value, start, isDark.value)
        player.onReadout = (text) => (readout.value = text)
        sliders.value = player.sliders
        hint.value = player.hint
        update()
      } catch (caught) {
        error.value = `This picture needs WebGL 2. (${String(caught)})`
      }
    }

    onMounted(() => {
      isWanted = !matchMedia('(prefers-reduced-motion: reduce)').matches
      observer = new IntersectionObserver(([entry]) => {
        isSeen = entry!.isIntersecting
        if (isSeen) void load()
        update()
      })
      observer.observe(box.value!)
    })
    onBeforeUnmount(() => {
      isGone = true
      observer?.disconnect()
      player?.dispose()
    })
    watch(isDark, (dark) => player?.paint(dark))

    function toggle(): void {
      isWanted = !isWanted
      update()
    }

    const button = (label: string, sign: string, click: () => void) =>
      h('button', { type: 'button', title: label, 'aria-label': label, onClick: click }, [
        h('svg', { viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': true }, [
          h('path', { d: sign }),
        ]),
      ])

    return () =>
      h('figure', { class: 'live-scene', 'data-playing': isPlaying.value }, [
        h('div', { class: 'picture', ref: box }, error.value === '' ? [] : h('p', error.value)),
        h('figcaption', [
          button(isPlaying.value ? 'Pause' : 'Play', isPlaying.value ? PAUSE : PLAY, toggle),
          button('Start again', AGAIN, () => player?.restart()),
          h('span', { class: 'readout' }, readout.value === '' ? hint.value : readout.value),
        ]),
        ...(sliders.value.length === 0
          ? []
          : [
              h(
                'div',
                { class: 'sliders' },
                sliders.value.map((slider, i) =>
                  h('label', { key: i }, [
                    h('code', slider.label),
                    h('input', {
                      type: 'range',
                      min: slider.from,
                      max: slider.to,
                      step: (slider.to - slider.from) / 200,
                      value: slider.value,
                      onInput: (event: Event) => {
                        const value = Number((event.target as HTMLInputElement).value)
                        sliders.value = player!.set(i, value)
                      },
                    }),
                    h('output', slider.text),
                  ]),
                ),
              ),
            ]),
      ])
  },
})
