/*
 * Builds the site into dist/docs: collects its pages, which are those of docs/ and what is generated from the catalogue, the commands
 * and the public names, and has VitePress make HTML of them; each file is compressed, to a quarter in all. Nothing is fetched.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { build } from 'vitepress'
import { apiPages } from './api.mjs'
import { anchorOf, placeOf, siteText } from './links.mjs'
import { grid } from './markup.mjs'
import { words } from './words.mjs'

const facts = 'dist/.docs/facts.mjs'
const root = 'docs/.vitepress/pages'
const site = 'dist/docs'
const next = 'dist/.docs/site'
const put = (place, text) => {
  const file = join(root, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function writeHome(at, base) {
  const link = (path) => `${base}${path}`
  const row = ([name, path, about]) => [`[${words[name][at]}](${link(path)})`, about[at]]
  const [begin, other] = [words.begin[at], words.inOther[at]]
  const front = {
    layout: 'home',
    hero: {
      name: 'Quotebook',
      tagline: words.about[at],
      actions: [
        { text: begin, link: link('start') },
        { text: other, link: at === 0 ? '/zh/' : '/', theme: 'alt' },
      ],
    },
  }
  const further = `## ${words.further[at]}\n\n${grid(['', ''], parts.map(row))}`
  put(`${base}index.md`, `---\n${JSON.stringify(front)}\n---\n\n${firstLook(at)}\n${further}`)
}

/** What the README shows first: its picture, the two commands, and the strategy with what it prints. */
function firstLook(at) {
  const readme = `README${at === 0 ? '' : '.zh-CN'}.md`
  const [picture] = /^!\[.*$/m.exec(readFileSync(readme, 'utf8')) ?? []
  const [, begin, strategy] = readFileSync(readme, 'utf8').split(/^(?=## )/m)
  const text = [picture, begin, strategy].join('\n\n')
  return siteText(text, join('..', readme), at === 1, pictures)
}

const parts = [
  ['home', 'start', ['Install, the first query, the first frame.', '安装，第一次查询，第一张表。']],
  ['tutorials', 'tutorial/research', ['Research, a backtest, the evening, a team.', '研究、回测、收盘之后、团队。']],
  ['recipes', 'recipes', ['Short answers to copy and change.', '抄来改改就用的短例。']],
  ['guides', 'guide/source', ['Sources, archives, checks, backtests, services.', '数据源、归档、检查、回测与服务。']],
  [
    'datasets',
    'datasets/',
    ['Columns, units, params, limits; some rows of each.', '各数据集的列、单位、查询条件、条数限制与样例。'],
  ],
  ['commands', 'commands/', ['Usage, arguments and options.', '用法、参数与选项。']],
  ['api', 'api/', ['Public names by what one does, with examples that run.', '按用途编排的公开接口，示例均可运行。']],
  ['glossary', 'guide/glossary', ['One word for one thing, in both languages.', '中英文各用一个固定的词。']],
]

/** All topics with what they are about and their names. */
function apiIndex(at, base, topics) {
  const rows = topics.map(({ topic, names }) => {
    const [, title, about] =
      /^# (.*)\n\n([^\n]*(?:\n[^\n]+)*)/.exec(readFileSync(join(root, `${base}api/${topic}.md`), 'utf8')) ?? []
    return [
      `[${title}](${topic}.md)`,
      about,
      names.map((name) => `[\`${name}\`](${topic}.md#${anchorOf(name)})`).join(', '),
    ]
  })
  return `# ${words.api[at]}\n\n${grid([words.what[at], words.meaning[at], words.functions[at]], rows)}`
}

/** What `facts.mjs` prints in a language. */
function factPages(language) {
  const env = { ...process.env, QUOTEBOOK_LANG: language }
  return JSON.parse(execFileSync(process.execPath, [facts], { env, encoding: 'utf8', maxBuffer: 2 ** 28 }))
}

rmSync(root, { recursive: true, force: true })
rmSync(dirname(facts), { recursive: true, force: true })
const pictures = new Map()
for (const file of readdirSync('docs', { recursive: true }).map(String)) {
  if (file.startsWith('.') || !file.endsWith('.md')) continue
  const text = readFileSync(join('docs', file), 'utf8')
  const both = file === 'guide/glossary.md' ? [false, true] : [file.endsWith('.zh-CN.md')]
  for (const isChinese of both) put(placeOf(file, isChinese), siteText(text, file, isChinese, pictures))
}
await bundle({
  entryPoints: ['docs/.vitepress/facts.mjs'],
  outfile: facts,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  external: ['#*'],
  logLevel: 'warning',
})
const api = apiPages()
for (const [at, language] of ['en', 'zh'].entries()) {
  const base = at === 0 ? '/' : '/zh/'
  writeHome(at, base)
  for (const [place, text] of Object.entries(factPages(language))) put(`${base}${place}.md`, text)
  put(`${base}api/index.md`, apiIndex(at, base, api[at]))
  for (const { topic, text } of api[at]) appendFileSync(join(root, `${base}api/${topic}.md`), text)
}
for (const [from, place] of pictures) {
  mkdirSync(dirname(join(root, place)), { recursive: true })
  copyFileSync(from, join(root, place))
}
mkdirSync(join(root, 'public'))
copyFileSync('src/server/service/page/static/icon.svg', join(root, 'public/icon.svg'))
await build('docs', { outDir: next })
for (const file of readdirSync(next, { recursive: true, withFileTypes: true })) {
  if (!file.isFile()) continue
  const path = join(file.parentPath, file.name)
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
  rmSync(path)
}
// At once: the package may be packed meanwhile.
if (existsSync(site)) renameSync(site, join(dirname(next), 'before'))
renameSync(next, site)
rmSync(dirname(facts), { recursive: true })
