import DefaultTheme from 'vitepress/theme-without-fonts'
import { tokens } from '../tokens.mjs'
import './style.css'

export default {
  extends: DefaultTheme,
  /** The search asks by the words that the index was made of. As a setting, the function would need `eval` in the page. */
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = { options: { tokenize: tokens } }
    // Who comes to the English home from elsewhere with a browser that prefers Chinese reads the Chinese one.
    const isFirst = typeof window !== 'undefined' && !document.referrer.startsWith(`${location.origin}/docs/`)
    if (isFirst && location.pathname === '/docs/' && navigator.language.startsWith('zh')) location.replace('/docs/zh/')
  },
}
