import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

export const wordsFile = 'src/contract/locale/zh.json'
const words = JSON.parse(readFileSync(wordsFile, 'utf8'))

function plugin(texts) {
  return {
    name: 'own words',
    setup(one) {
      one.onLoad({ filter: /contract\/chinese-text\.ts$/ }, () => ({
        contents: `const texts = ${JSON.stringify(texts)}\nexport const chineseText = (template: string): string | undefined => Object.hasOwn(texts, template) ? texts[template] : undefined`,
        loader: 'ts',
      }))
    },
  }
}

/** Builds the script of a page: in the place of the file of all Chinese, with that of the texts in its own sources. */
export async function buildWithWords(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false, plugins: [plugin({})] })
  const sources = Object.keys(metafile.inputs).filter((path) => path.startsWith('src/'))
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  const isOwn = (template) =>
    template
      .replace(/ @\w+$/, '')
      .split(/\{\w+\}/)
      .every((part) => text.includes(part))
  const own = Object.entries(words).filter(([template]) => isOwn(template))
  return build({ ...options, plugins: [plugin(Object.fromEntries(own))] })
}
