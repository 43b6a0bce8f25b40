/** The public names of src/index.ts as its compiler sees them, in reading order, under the headings that stand there. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { anchorOf } from './links.mjs'
import { plain } from './markup.mjs'
import { topics, words } from './words.mjs'

const door = 'src/index.ts'
const withoutBody = (node) =>
  node
    .getText()
    .slice(0, (node.body?.getStart() ?? node.getEnd()) - node.getStart())
    .trim()
const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
const isShown = (member) =>
  !(member.name && ts.isPrivateIdentifier(member.name)) &&
  !(ts.getCombinedModifierFlags(member) & hidden) &&
  !ts.isClassStaticBlockDeclaration(member) &&
  !ts.getJSDocTags(member).some((tag) => tag.tagName.text === 'internal')

function memberText(member) {
  const docs = (member.jsDoc ?? []).map((doc) => `  ${doc.getText()}\n`).join('')
  const isField = ts.isPropertyDeclaration(member)
  const text = isField ? member.getText().replace(/ = [\s\S]*$/, '') : withoutBody(member)
  return `${docs}  ${text.replace(/^(?:async|override) /, '')}`
}

function classText(node) {
  const head = node
    .getText()
    .slice(0, (node.members[0]?.getFullStart() ?? node.getEnd()) - node.getStart())
    .trim()
  return `${head}\n${node.members.filter(isShown).map(memberText).join('\n')}\n}`
}

/** What a name is, without how it does it. */
function signature(symbol, checker) {
  const all = symbol.declarations.filter((node) => !ts.isModuleDeclaration(node))
  const functions = all.filter(ts.isFunctionDeclaration)
  const shown = functions.length > 1 ? functions.filter((node) => !node.body) : all
  const text = shown.map((node) => {
    if (ts.isFunctionDeclaration(node)) return withoutBody(node)
    if (ts.isClassDeclaration(node)) return classText(node)
    if (!ts.isVariableDeclaration(node)) return node.getText()
    const type = node.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(node))
    return `const ${symbol.name}: ${type}`
  })
  return text.join('\n').replaceAll(/^(?:export |default |async |declare )+/gm, '')
}

function documentation(symbol, checker) {
  const text = (parts) => plain(ts.displayPartsToString(parts).replaceAll(/\{@link (\S+?)\}/g, '`$1`'))
  const tags = symbol.getJsDocTags(checker).flatMap(({ name, text: parts = [] }) => {
    const said = ts.displayPartsToString(parts)
    const [, param, about] = /^(\S+)\s+(?:- )?([\s\S]*)$/.exec(said) ?? []
    if (name === 'param' && param) return `- \`${param}\`: ${plain(about)}`
    return said === '' ? [] : `- ${plain(name)}: ${plain(said)}`
  })
  return [text(symbol.getDocumentationComment(checker)), ...(tags.length > 0 ? [tags.join('\n')] : [])].join('\n\n')
}

function nameOf(specifier, checker) {
  const symbol = checker.getAliasedSymbol(checker.getSymbolAtLocation(specifier.name))
  const [first] = symbol.declarations ?? []
  const isForeign = first?.getSourceFile().fileName.match(/\/node_modules\/|\/dist\/danfo\//)
  const value = ts.SymbolFlags.Value
  return {
    name: specifier.name.text,
    isType: specifier.isTypeOnly || specifier.parent.parent.isTypeOnly || !(symbol.flags & value),
    isForeign,
    doc: isForeign ? '' : documentation(symbol, checker),
    signature: isForeign ? '' : signature(symbol, checker),
  }
}

/** Heading → public names below it. */
export function publicNames() {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  const program = ts.createProgram([door], { ...options, incremental: false, tsBuildInfoFile: undefined })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(door)
  const all = new Map()
  let heading = ''
  for (const statement of source.statements) {
    const comments = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? []
    for (const { kind, pos, end } of comments)
      if (kind === ts.SyntaxKind.SingleLineCommentTrivia) heading = source.text.slice(pos + 2, end).trim()
    if (!ts.isExportDeclaration(statement)) continue
    const names = statement.exportClause.elements.map((one) => nameOf(one, checker))
    all.set(heading, [...(all.get(heading) ?? []), ...names])
  }
  return all
}

function entryText({ name, doc, signature }) {
  return `### \`${name}\`\n\n${doc}\n\n\`\`\`ts\n${signature}\n\`\`\`\n`
}

/** What each public name does, in Chinese. */
const chinese = JSON.parse(readFileSync(new URL('api.zh.json', import.meta.url), 'utf8'))

/** In Chinese a function is a sentence and its signature, and a type a sentence with a link to its declaration. */
const chineseEntry = (topic) => (one) =>
  one.isType
    ? `- [\`${one.name}\`](/api/${topic}#${anchorOf(one.name)})：${plain(chinese[one.name])}`
    : entryText({ ...one, doc: plain(chinese[one.name]) })

function checkChinese(names) {
  const own = names.filter(({ isForeign }) => !isForeign).map(({ name }) => name)
  const missing = own.filter((name) => !Object.hasOwn(chinese, name))
  const extra = Object.keys(chinese).filter((name) => !own.includes(name))
  if (missing.length + extra.length > 0)
    throw new Error(
      `docs/.vitepress/api.zh.json lacks: ${missing.join(', ') || 'none'}; has but ${door} has not: ${extra.join(', ') || 'none'}`,
    )
}

/** What follows the words and the example of a topic's page. */
function topicText(names, at, topic) {
  const own = names.filter(({ isForeign }) => !isForeign)
  const foreign = names.filter(({ isForeign }) => isForeign).map(({ name }) => `\`${name}\``)
  const part = (title, entries) =>
    entries.length > 0
      ? `\n## ${words[title][at]}\n\n${entries.map(at === 0 ? entryText : chineseEntry(topic)).join('\n')}\n`
      : ''
  return [
    part(
      'functions',
      own.filter(({ isType }) => !isType),
    ),
    part(
      'types',
      own.filter(({ isType }) => isType),
    ),
    foreign.length > 0 ? `\n## ${words.foreign[at]}\n\n${foreign.join(', ')}\n` : '',
  ].join('')
}

/** Texts of the topics' pages, and of the index, by language. A heading of src/index.ts without a topic is an error. */
export function apiPages() {
  const all = publicNames()
  const lost = [...all.keys()].filter((heading) => !topics.some(([, headings]) => headings.includes(heading)))
  if (lost.length > 0)
    throw new Error(`no topic in docs/.vitepress/words.mjs has the names of ${door} under: ${lost.join('; ')}`)
  checkChinese([...all.values()].flat())
  return [0, 1].map((at) =>
    topics.map(([topic, headings]) => {
      const names = headings.flatMap((heading) => all.get(heading) ?? [])
      return {
        topic,
        names: names.filter(({ isType, isForeign }) => !isType && !isForeign).map(({ name }) => name),
        text: topicText(names, at, topic),
      }
    }),
  )
}
