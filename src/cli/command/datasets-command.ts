import type { Command } from 'commander'
import { allDatasets, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import { camel, type Dataset, type Limit } from '../../contract/dataset.js'
import {
  besideMeaning,
  columnMeaning,
  datasetText,
  knownText,
  paramMeaning,
  unitText,
} from '../../contract/dataset-text.js'
import type { Param } from '../../contract/param.js'
import { padText, textWidth } from '../../frame/show/text-width.js'
import { language, say } from '../chosen-language.js'
import { declare } from '../declare-command.js'
import { foldText } from '../fold-text.js'
import { out, textGrid } from '../output.js'

export function limitText(limit: Limit): string {
  switch (limit.kind) {
    case 'none':
      return say('no limit')
    case 'cap':
      return say('at most {rows} rows a call, then silently truncated', { rows: limit.rows })
    case 'page':
      return say('limit {usual} (at most {max}), offset, total', { usual: limit.default, max: limit.max })
    case 'newest':
      return say('limit {usual} (at most {max}), the newest', { usual: limit.default, max: limit.max })
  }
}

function valuesText(param: Param): string {
  if (param.values) return param.values.join(' | ')
  const { min, max } = param
  if (min !== undefined && max !== undefined && max < 9999) return say('{min} to {max}', { min, max })
  return min === undefined ? '' : say('{min} or more', { min })
}

function list(): string {
  const rows = allDatasets().map((dataset) => [
    dataset.name,
    datasetText(dataset, language).title,
    limitText(dataset.limit),
    knownText(dataset, language),
  ])
  return `${textGrid([say('dataset'), say('what'), say('how much comes back'), say('known')], rows)}\n\n${say('quotebook datasets NAME prints the page of one.')}\n`
}

function section(title: string, text: string): string {
  return `\n${title}\n${text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n`
}

/** Long texts are folded, so that a page fits a terminal. */
function folded(head: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const lines = rows.flatMap((row) => {
    const [first = '', ...rest] = foldText(row.at(-1) ?? '', width)
    return [[...row.slice(0, -1), first], ...rest.map((line) => [...row.slice(0, -1).map(() => ''), line])]
  })
  return textGrid(head, lines)
}

export function exclusiveText(dataset: Dataset): string[] {
  return (dataset.exclusive ?? []).map(([a, b]) =>
    say('Not together: {a} with {b}.', { a: a.join(', '), b: b.join(', ') }),
  )
}

/** As a shell reads it. */
export function word(text: string): string {
  return /^[\w.,=-]+$/.test(text) ? text : `'${text}'`
}

export function columnRow(dataset: Dataset, name: string, column: Column): readonly string[] {
  const meaning = columnMeaning(dataset, name, language) ?? ''
  return [
    name,
    column.kind,
    unitText(column, language) ?? '',
    column.nullable ? say('null') : '',
    column.mode ? say('({mode} mode) {meaning}', { mode: column.mode, meaning }) : meaning,
  ]
}

export function paramRow(dataset: Dataset, name: string, param: Param): readonly string[] {
  const usual = param.default === undefined ? '' : say('default {value}', { value: param.default })
  const [meaning, values] = [paramMeaning(dataset, name, param, language), valuesText(param)]
  const whole = values === '' ? meaning : say('{meaning} Values: {values}.', { meaning, values })
  return [name, param.kind, param.required ? say('required') : usual, whole]
}

/** Columns that stand beside those of the rows; nothing where there are none. */
function besideSection(title: string, dataset: Dataset, columns: Readonly<Record<string, Column>> = {}): string {
  const rows = Object.entries(columns).map(([name, column]) => [
    name,
    column.kind,
    besideMeaning(dataset, name, column, language),
  ])
  return rows.length > 0 ? section(title, folded([say('name'), say('kind'), say('meaning')], rows, 70)) : ''
}

function answerText(dataset: Dataset): string {
  const order = dataset.order.map((name) =>
    name.startsWith('-') ? say('{name} descending', { name: name.slice(1) }) : name,
  )
  const lines = [
    [say('key'), dataset.key.join(', ') || say('none')],
    [say('order'), order.join(', ')],
    [say('limit'), limitText(dataset.limit)],
    [say('known'), knownText(dataset, language)],
  ] as const
  const width = Math.max(...lines.map(([name]) => textWidth(name)))
  return lines.map(([name, text]) => `${padText(name, width, false)}  ${text}`).join('\n')
}

function page(dataset: Dataset): string {
  const { title, about, rules } = datasetText(dataset, language)
  const fields = Object.entries(dataset.columns).map(([name, column]) => columnRow(dataset, name, column))
  const params = Object.entries(dataset.params).map(([name, param]) => paramRow(dataset, name, param))
  const asked = Object.entries(dataset.example).map(([name, value]) => word(`${name}=${value}`))
  const call = `await market.load.${camel(dataset.name)}(${JSON.stringify(dataset.example)})`
  return [
    `${dataset.name}${say(': ')}${title}\n\n${foldText(about, 100).join('\n')}\n`,
    section(say('Fields'), folded([say('name'), say('kind'), say('unit'), '', say('meaning')], fields, 70)),
    section(say('Params'), folded([say('name'), say('kind'), '', say('meaning')], params, 70)),
    besideSection(say('Beside the rows, in `meta`'), dataset, dataset.meta),
    besideSection(say('Kept in an archive beside them'), dataset, dataset.stored),
    section(say('Rules'), [...rules, ...exclusiveText(dataset)].join('\n')),
    section(say('Answer'), answerText(dataset)),
    section(say('Example'), `${['quotebook query', dataset.name, ...asked].join(' ')}\n${call}`),
  ].join('')
}

// biome-ignore format: a table, one word a line
export const datasetsCommand = (): Command => declare({
  datasets: ['list datasets, or the fields, units, parameters and limits of one'],
  '[name]': ['dataset whose page to print'],
  '--source <dir>': ['an archive, to list its own datasets too'],
}).action((name: string | undefined) => out(name === undefined ? list() : page(datasetOf(name))))
