import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import hljs from 'highlight.js/lib/common'
import { anchorOf } from './links.mjs'
import { tokens } from './tokens.mjs'
import { chineseSearch, chineseTheme, further, groups, topics, tutorials, words } from './words.mjs'

/** Where `build.mjs` puts the pages: those written by hand with their links made right, and the generated ones. */
const pages = 'docs/.vitepress/pages'

/** Navigation of a language. @param at 0 English, 1 Chinese @param root where its pages lie */
function navigation(at, root) {
  const say = (name) => words[name][at]
  const file = (path) => join(pages, root, `${path}.md`)
  const entry = (path) => {
    if (!existsSync(file(path))) return []
    const [, title] = /^# (.*)$/m.exec(readFileSync(file(path), 'utf8')) ?? []
    return [{ text: title.replaceAll('`', ''), link: `${root}${path}` }]
  }
  const group = (text, paths) => {
    const items = paths.flatMap(entry)
    return items.length > 0 ? [{ text, items }] : []
  }
  const names = (folder) => readdirSync(join(pages, root, folder)).map((name) => `${folder}/${name.replace('.md', '')}`)
  const placed = groups.flatMap(([, guides]) => guides)
  const others = names('guide').filter((path) => ![...placed, 'guide/glossary'].includes(path))
  const rank = (path) => topics.findIndex(([name]) => path === `api/${name}`)
  const order = (folder) =>
    names(folder)
      .filter((path) => !path.endsWith('/index'))
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .flatMap(entry)
  const reference = ['datasets', 'commands', 'api'].map((one) => ({ text: say(one), link: `${root}${one}/` }))
  const start = [
    ...entry('start'),
    ...group(say('tutorials'), tutorials),
    ...groups.flatMap(([titles, guides]) => group(titles[at], guides)),
    ...group(further[at], others),
    { text: say('reference'), items: [...reference, ...entry('recipes'), ...entry('guide/glossary')] },
  ]
  // Each part has a list of its own: one of everything would be half of the bytes of every page.
  const parts = reference.map((one, i) => [
    one.link,
    [{ ...one, items: order(['datasets', 'commands', 'api'][i]) }, ...reference.filter((other) => other !== one)],
  ])
  const first = existsSync(file('start')) ? 'start' : 'guide/source'
  const nav = [
    { text: say('home'), link: `${root}${first}` },
    ...reference.map((one) => ({ ...one, activeMatch: `^${one.link}` })),
    ...entry('recipes').map((one) => ({ ...one, text: say('recipes') })),
    { text: say('glossary'), link: `${root}guide/glossary` },
  ]
  return { nav, sidebar: { ...Object.fromEntries(parts), [root]: start } }
}

const marked = ['comment', 'keyword', 'string', 'meta']
const languageOf = { console: 'shell', sh: 'bash', text: 'plaintext' }
/** Code by classes: spans with styles of their own would be three times the bytes, and the policy of the service forbids them. */
function highlighted(text, language) {
  const name = languageOf[language] ?? language
  const { value } = hljs.highlight(text.trimEnd(), { language: hljs.getLanguage(name) ? name : 'plaintext' })
  const open = []
  const few = value.replaceAll(/<span class="(?:hljs-)?([\w-]+)[^"]*">|<\/span>/g, (_, part) => {
    if (part === undefined) return open.pop() ? '</span>' : ''
    open.push(marked.includes(part))
    return open.at(-1) ? `<span class="${part}">` : ''
  })
  return `<pre v-pre><code>${few}</code></pre>`
}

const search = { provider: 'local', options: { locales: { zh: { translations: chineseSearch } } } }
// Not enumerable: the page has the function from its theme, and what a setting holds would come to it as text to be evaluated.
Object.defineProperty(search.options, 'miniSearch', { value: { options: { tokenize: tokens } } })

export default {
  title: 'Quotebook',
  description: words.about[0],
  base: '/docs/',
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  srcDir: '.vitepress/pages',
  lang: 'en',
  metaChunk: true,
  // Without a style element while it changes, which the policy of the service forbids.
  appearance: { disableTransition: false },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { ...navigation(0, '/'), outline: [2, 3] } },
    zh: {
      label: '中文',
      lang: 'zh-CN',
      description: words.about[1],
      themeConfig: { ...navigation(1, '/zh/'), ...chineseTheme },
    },
  },
  themeConfig: { search, externalLinkIcon: true },
  markdown: {
    html: false,
    highlight: highlighted,
    // Braces are text: of a command as `{ panel, strategy }`.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    config(md) {
      // What stands in a page is text; VitePress would read it as a template.
      const { text } = md.renderer.rules
      md.renderer.rules.text = (...all) => text(...all).replaceAll('{{', '&#123;&#123;')
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 }, logLevel: 'warn' },
}
