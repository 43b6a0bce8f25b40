import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import ts from 'typescript'

export const wordsFile = 'src/contract/locale/zh.json'
const words = JSON.parse(readFileSync(wordsFile, 'utf8'))

/** In the place of the file of all Chinese, some of it. */
const plugin = (texts) => ({
  name: 'own words',
  setup(one) {
    one.onResolve({ filter: /^#locale$/ }, () => ({ path: 'locale', namespace: 'own words' }))
    one.onLoad({ filter: /./, namespace: 'own words' }, () => ({
      contents: `module.exports = () => (${JSON.stringify(texts)})`,
    }))
  },
})

/** The texts and templates that stand in a script, whole: `low {1}` of sentence`low ${low}`; names of members, which may be texts, too. */
function textsIn(script) {
  const found = new Set()
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || (ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent)))
      found.add(node.text)
    if (ts.isTemplateExpression(node))
      found.add(node.templateSpans.reduce((sum, { literal }, i) => `${sum}{${i + 1}}${literal.text}`, node.head.text))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('page.js', script, ts.ScriptTarget.Latest, true))
  return found
}

/** Builds the script of a page with the Chinese of the texts in it, and of what the system says. */
export async function buildWithWords(options) {
  const { outputFiles } = await build({ ...options, minify: false, write: false, plugins: [plugin({})] })
  const found = textsIn(outputFiles.map(({ text }) => text).join('\n'))
  const own = Object.entries(words).filter(([key]) => key.endsWith(' @SYSTEM') || found.has(key.replace(/ @\w+$/, '')))
  return build({ ...options, plugins: [plugin(Object.fromEntries(own))] })
}
