/*
 * The pages of datasets and commands in the language that QUOTEBOOK_LANG names, printed as JSON: place → Markdown. Bundled from the
 * sources and run by `build.mjs`, once a language: the command itself says in one language at a time.
 */
import { language, say as phrase } from '../../src/cli/chosen-language.ts'
import { columnRow, exclusiveText, limitText, paramRow, word } from '../../src/cli/command/datasets-command.ts'
import { program } from '../../src/cli/program.ts'
import { connect } from '../../src/connect.ts'
import { datasets } from '../../src/contract/catalogue.ts'
import { besideMeaning, datasetText, knownText } from '../../src/contract/dataset-text.ts'
import { subjects } from '../../src/contract/labels.ts'
import { cellText, secretMark } from '../../src/frame/show/cell-text.ts'
import { pythonText, typescriptText } from '../../src/server/service/page/client/snippet.ts'
import { grid, plain } from './markup.mjs'
import { words } from './words.mjs'

const at = language === 'en' ? 0 : 1
const say = (name) => words[name][at]
const section = (name, text) => (text === '' ? '' : `\n## ${say(name)}\n\n${text}\n`)
const list = (lines) => lines.map((line) => `- ${plain(line)}`).join('\n')
const code = (text) => (text === '' ? '' : `\`${text}\``)
const fence = (kind, text) => `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\``

/** The first rows of the example in the sample; a credential reads as dots, a long text is cut. */
async function sampleRows(market, { name, columns, example }) {
  const table = await market.query(name, example).catch((error) => {
    if (error.code === undefined) throw error
  })
  if (!table?.numRows) return say('nothing')
  const heads = table.schema.fields.map((field) => field.name)
  const rows = [...table.slice(0, 5)].map((row) =>
    heads.map((head) => {
      const text = columns[head]?.secret ? secretMark : cellText(row[head])
      return plain(text.length > 40 ? `${[...text].slice(0, 39).join('')}…` : text)
    }),
  )
  return `${say('synthetic')}\n\n${grid(heads, rows)}`
}

async function datasetPage(market, dataset) {
  const { title, about, rules } = datasetText(dataset, language)
  const rowsOf = (columns, row) => Object.entries(columns ?? {}).map(([name, one]) => row(dataset, name, one))
  const columns = rowsOf(dataset.columns, columnRow).map(([name, kind, unit, isNull, meaning]) => [
    code(name),
    code(kind),
    plain(unit),
    plain(isNull),
    plain(meaning),
  ])
  const params = rowsOf(dataset.params, paramRow).map(([name, kind, usual, meaning]) => [
    code(name),
    code(kind),
    plain(usual),
    plain(meaning),
  ])
  const beside = (given) => {
    const rows = rowsOf(given, (_, name, one) => [
      code(name),
      code(one.kind),
      plain(besideMeaning(dataset, name, one, language)),
    ])
    return rows.length === 0 ? '' : grid([say('name'), say('kind'), say('meaning')], rows)
  }
  const asked = Object.entries(dataset.example).map(([name, value]) => word(`${name}=${value}`))
  const call = pythonText({ dataset, params: dataset.example }, '').match(/qb\.\w+\(.*\)/)?.[0] ?? ''
  const [load] = typescriptText({ dataset, params: dataset.example }, '').match(/const table = [\s\S]*/) ?? []
  const answer = [
    [say('key'), dataset.key.map(code).join(', ')],
    [
      say('order'),
      dataset.order
        .map((name) => (name[0] === '-' ? phrase('{name} descending', { name: code(name.slice(1)) }) : code(name)))
        .join(', '),
    ],
    [say('limit'), plain(limitText(dataset.limit))],
    [say('known'), plain(knownText(dataset, language))],
  ]
  return [
    `# ${title} \`${dataset.name}\`\n\n${plain(about)}\n`,
    section('columns', grid([say('name'), say('kind'), say('unit'), say('missing'), say('meaning')], columns)),
    section('params', grid([say('name'), say('kind'), say('usual'), say('meaning')], params)),
    section('rules', list([...rules, ...exclusiveText(dataset)])),
    section('answer', grid(['', ''], answer)),
    section('inMeta', beside(dataset.meta)),
    section('stored', beside(dataset.stored)),
    section(
      'examples',
      [
        `${say('shell')}${say('colon')}\n`,
        fence('sh', ['quotebook query', dataset.name, ...asked].join(' ')),
        `\nTypeScript${say('colon')}\n`,
        fence('ts', `import { connect } from 'quotebook'\n\nconst market = await connect()\n${load}`),
        `\n${say('python')}${say('colon')}\n`,
        fence('python', `import quotebook as qb\n\nprint(${call})`),
      ].join('\n'),
    ),
    section('sample', await sampleRows(market, dataset)),
  ].join('')
}

function datasetIndex() {
  const parts = Object.entries(subjects).map(([subject, title]) => {
    const rows = datasets
      .filter((dataset) => dataset.subject === subject)
      .map((dataset) => [
        `[${code(dataset.name)}](${dataset.name}.md)`,
        plain(datasetText(dataset, language).title),
        plain(limitText(dataset.limit)),
        plain(knownText(dataset, language)),
      ])
    return `## ${phrase(title)}\n\n${grid([say('dataset'), say('what'), say('limit'), say('known')], rows)}\n`
  })
  return `# ${say('datasets')}\n\n${parts.join('\n')}`
}

const commandName = (command) => (command.parent?.parent ? `${commandName(command.parent)} ` : '') + command.name()

/** What help adds below the options. */
function textAfter(command) {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  return text.slice(command.helpInformation().length).trim()
}

function optionRow({ flags, description, argChoices, defaultValue, defaultValueDescription, envVar, mandatory }) {
  const usual = defaultValueDescription ?? (defaultValue === undefined ? undefined : JSON.stringify(defaultValue))
  const said = [
    mandatory ? say('required') : '',
    argChoices ? say('choices') + argChoices.map(code).join(', ') : '',
    usual === undefined ? '' : say('default') + code(usual),
    envVar ? say('env') + code(envVar) : '',
  ].filter(Boolean)
  const more = said.length > 0 ? (at === 0 ? ` (${said.join('; ')})` : `（${said.join('；')}）`) : ''
  return [code(flags), plain(description) + more]
}

function commandParts(command, level) {
  const name = `quotebook ${commandName(command)}`
  const usage = `quotebook ${commandName(command)} ${command.usage()}`
  const options = command.options.filter((option) => !option.hidden).map(optionRow)
  const given = command.registeredArguments.map((one) => {
    const flags = `${one.required ? '<' : '['}${one.name()}${one.variadic ? '...' : ''}${one.required ? '>' : ']'}`
    return optionRow({ ...one, flags, description: one.description })
  })
  const after = textAfter(command)
  const title = (key) => `**${say(key)}**\n\n`
  return [
    `${'#'.repeat(level)} \`${name}\`\n\n${plain(command.description())}\n\n${fence('sh', usage.trim())}\n`,
    given.length > 0 ? title('arguments') + grid([say('name'), say('meaning')], given) : '',
    options.length > 0 ? title('options') + grid([say('name'), say('meaning')], options) : '',
    after === '' ? '' : `\n${fence('text', after)}\n`,
    ...command.commands.filter((one) => one.name() !== 'help').map((one) => `\n${commandParts(one, 2)}`),
  ].join('\n')
}

const shown = program().commands.filter((command) => command.name() !== 'help' && !command._hidden)
const index = shown.map((command) => [`[${code(command.name())}](${command.name()}.md)`, plain(command.description())])
const market = await connect()
const pages = {
  'datasets/index': datasetIndex(),
  'commands/index': `# ${say('commands')}\n\n${grid([say('command'), say('meaning')], index)}`,
}
for (const dataset of datasets) pages[`datasets/${dataset.name}`] = await datasetPage(market, dataset)
for (const command of shown) pages[`commands/${command.name()}`] = commandParts(command, 1)
process.stdout.write(JSON.stringify(pages))
