import DefaultTheme from 'vitepress/theme'
import { Layout } from '../../theme/layout.js'
import { LiveScene } from '../../theme/live-scene.js'
import { OpenBlock } from '../../theme/open-block.js'
import '../../theme/style.css'

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }: { app: { component(name: string, component: object): void } }) {
    app.component('LiveScene', LiveScene)
    app.component('OpenBlock', OpenBlock)
  },
}
