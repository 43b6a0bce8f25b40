import DefaultTheme from 'vitepress/theme-without-fonts'
import { tokens } from '../tokens.mjs'
import './style.css'

export default {
  extends: DefaultTheme,
  /** The search asks by the words that the index was made of. As a setting, the function would need `eval` in the page. */
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = { options: { tokenize: tokens } }
  },
}
