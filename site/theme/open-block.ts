import { defineComponent, h, ref } from 'vue'
import { devDependencies, name, version } from '../../package.json'
import { postProject } from '../../demo/code/post-project.js'
import { makeBlockProject } from '../../demo/code/project.js'

const VERSIONS = { ...devDependencies, 'react-dom': devDependencies.react, [name]: version }

/** Above a block of code: the name of its file, and a button that opens the program in StackBlitz. */
export const OpenBlock = defineComponent({
  name: 'OpenBlock',
  props: {
    /** `main.ts` for a program of one block. */
    file: { type: String, required: true },
  },
  setup({ file }) {
    const bar = ref<HTMLElement | null>(null)
    const textOf = (of: Element): string => of.parentElement!.querySelector('code')!.textContent
    /** The block itself, and the other files of the page that it imports. */
    function blocks(): Record<string, string> {
      const found: Record<string, string> = { [file]: `${textOf(bar.value!)}\n` }
      const others = [...document.querySelectorAll('.vp-doc .open-block')].map(
        (other) => [(other as HTMLElement).dataset['file']!, other] as const,
      )
      const add = (text: string): void => {
        for (const [, part] of text.matchAll(/'\.\/([\w-]+)\.js'/g)) {
          const other = others.find(([name]) => name === `${part}.ts`)
          if (other === undefined || other[0] in found) continue
          found[other[0]] = `${textOf(other[1])}\n`
          add(found[other[0]]!)
        }
      }
      add(found[file]!)
      return found
    }
    function open(): void {
      const title = `${document.querySelector('h1')!.firstChild!.textContent!.trim()}: ${name}`
      const files = makeBlockProject(title, blocks(), VERSIONS)
      postProject(title, 'A block of code of the documentation', files, `src/${file}`, '_blank')
    }
    const isProgram = file === 'main.ts' || file === 'App.tsx'
    return () =>
      h('div', { class: 'open-block', 'data-file': file, ref: bar }, [
        h('span', file === 'main.ts' ? '' : `src/${file}`),
        ...(isProgram ? [h('button', { type: 'button', onClick: open }, 'Open in StackBlitz')] : []),
      ])
  },
})
