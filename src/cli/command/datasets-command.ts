import { Command } from 'commander'
import { datasetOf, datasets } from '../../contract/catalogue.js'
import { camel, type Dataset, type Limit } from '../../contract/dataset.js'
import type { Param } from '../../contract/param.js'
import { out, textGrid } from '../output.js'

function limitText(limit: Limit): string {
  switch (limit.kind) {
    case 'none':
      return 'no limit'
    case 'cap':
      return `at most ${limit.rows} rows a call, then silently truncated`
    case 'page':
      return `limit ${limit.default} (at most ${limit.max}), offset, total`
    case 'newest':
      return `limit ${limit.default} (at most ${limit.max}), the newest`
  }
}

function valuesText(param: Param): string {
  if (param.values) return param.values.join(' | ')
  const { min, max } = param
  if (min !== undefined && max !== undefined && max < 9999) return `${min} to ${max}`
  return min === undefined ? '' : `${min} or more`
}

function list(): string {
  const rows = datasets.map((dataset) => [dataset.name, dataset.title, limitText(dataset.limit), dataset.knownAt.note])
  return `${textGrid(['dataset', 'what', 'how much comes back', 'known'], rows)}\n\nquotebook datasets NAME prints the page of one.\n`
}

function section(title: string, text: string): string {
  return `\n${title}\n${text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n`
}

/** Long texts are folded at word ends, so that a page fits a terminal. */
function fold(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string
    if (last !== '' && last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

function folded(head: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const lines = rows.flatMap((row) => {
    const [first = '', ...rest] = fold(row.at(-1) ?? '', width)
    return [[...row.slice(0, -1), first], ...rest.map((line) => [...row.slice(0, -1).map(() => ''), line])]
  })
  return textGrid(head, lines)
}

function exclusiveText(dataset: Dataset): string[] {
  return (dataset.exclusive ?? []).map(([a, b]) => `Not together: ${a.join(', ')} with ${b.join(', ')}.`)
}

function page(dataset: Dataset): string {
  const fields = Object.entries(dataset.columns).map(([name, column]) => [
    name,
    column.kind,
    column.unit ?? '',
    column.nullable ? 'null' : '',
    column.mode ? `(${column.mode} mode) ${column.meaning}` : column.meaning,
  ])
  const params = Object.entries(dataset.params).map(([name, param]) => [
    name,
    param.kind,
    param.required ? 'required' : param.default === undefined ? '' : `default ${param.default}`,
    [param.meaning, valuesText(param) && `Values: ${valuesText(param)}.`].filter(Boolean).join(' '),
  ])
  const stored = Object.entries(dataset.stored ?? {}).map(([name, column]) => [name, column.kind, column.meaning])
  const meta = Object.entries(dataset.meta ?? {}).map(([name, column]) => [name, column.kind, column.meaning])
  const example = JSON.stringify(dataset.example)
  return [
    `${dataset.name}: ${dataset.title}\n\n${fold(dataset.about, 100).join('\n')}\n`,
    section('Fields', folded(['name', 'kind', 'unit', '', 'meaning'], fields, 70)),
    section('Params', folded(['name', 'kind', '', 'meaning'], params, 70)),
    ...(meta.length > 0 ? [section('Beside the rows, in `meta`', folded(['name', 'kind', 'meaning'], meta, 70))] : []),
    ...(stored.length > 0
      ? [section('Kept in an archive beside them', folded(['name', 'kind', 'meaning'], stored, 70))]
      : []),
    section('Rules', [...dataset.rules, ...exclusiveText(dataset)].join('\n')),
    section(
      'Answer',
      [
        `key    ${dataset.key.join(', ') || 'none'}`,
        `order  ${dataset.order.map((name) => name.replace(/^-(.*)/, '$1 descending')).join(', ')}`,
        `limit  ${limitText(dataset.limit)}`,
        `known  ${dataset.knownAt.note}`,
      ].join('\n'),
    ),
    section(
      'Example',
      `quotebook query ${dataset.name} --params '${example}'\nawait market.load.${camel(dataset.name)}(${example})`,
    ),
  ].join('')
}

export function datasetsCommand(): Command {
  return new Command('datasets')
    .description('list datasets, or the fields, units, params and limits of one')
    .argument('[name]', 'dataset whose page to print')
    .action((name: string | undefined) => out(name === undefined ? list() : page(datasetOf(name))))
}
