import type { Column, Kind } from './column.js'
import type { AverageLaw, CheckLaw, Dataset, OwnDataset } from './dataset.js'
import { QuotebookError } from './error.js'
import { comparisonIn } from './law-text.js'
import { nameHint } from './nearest.js'
import { checkOptions, describeKind, type OptionKinds } from './options.js'
import type { Param } from './param.js'
import { sentence, type Words } from './sentence.js'
import { dayOrRange, enddate, startdate, startToEnd, tradedate } from './shared.js'
import { averageLaw } from './turnover-law.js'

const ownKinds: OptionKinds<OwnDataset> = {
  name: 'text',
  title: 'text',
  about: 'text',
  columns: 'an object',
  key: 'an array',
  day: 'text',
  knownAt: 'an object',
  laws: 'an array',
  everyTradingDay: 'true or false',
  instruments: ['stock', 'bond', 'fund', 'index', 'hk'],
  partition: ['day', 'month', 'whole'],
  chinese: 'an object',
}

// biome-ignore format: a list
const kinds: readonly Kind[] = ['code', 'date', 'minute', 'clock', 'label', 'moment', 'id', 'text', 'number', 'integer', 'long', 'boolean', 'texts', 'json']

const columnKinds: OptionKinds<Column> = {
  kind: 'any',
  unit: 'text',
  nullable: 'true or false',
  meaning: 'text',
  values: 'an array',
  spelling: ['full', 'bare'],
  isOwn: 'true or false',
  isTrading: 'true or false',
  isChange: 'true or false',
  mode: 'any',
  secret: 'true or false',
}

const knownKinds = {
  day: 'text',
  at: 'text',
  or: 'text',
  minute: 'text',
  moment: 'text',
  delayMinutes: 'a number',
  fetched: 'true or false',
  note: 'text',
} as const

/** Names that archives, SQL, services and objects use otherwise. */
// biome-ignore format: a list
const taken = ['ticks', 'revisions', 'datasets', 'manifest', 'main', 'temp', 'system', 'information_schema', 'sql', 'status', 'constructor']
/** What a query says beside the params that columns of labels become. */
const said = ['fields', 'from', 'to', 'days', 'format', 'partial']

function wrong(name: string, why: Words): never {
  throw new QuotebookError('USAGE', sentence`dataset ${name}: ${why}`)
}

/** A name among others. @throws QuotebookError USAGE with the nearest */
function columnIn({ name, columns }: OwnDataset, given: unknown, where: Words): string {
  const names = Object.keys(columns)
  if (typeof given === 'string' && Object.hasOwn(columns, given)) return given
  const hint = nameHint(String(given), names)
  return wrong(name, sentence`${where} names no column '${String(given).slice(0, 80)}'; ${hint}`)
}

const averageForm = /^\s*(\w+)\s*\/\s*(\w+)\s+between\s+(\w+)\s+and\s+(\w+)\s*$/

/** A law that a declaration states, the names of its columns checked. */
function lawOf(own: OwnDataset, text: unknown): CheckLaw | AverageLaw {
  const numeric = (name: string): string => {
    const { kind } = own.columns[columnIn(own, name, sentence`law '${text}'`)] as Column
    if (kind === 'number' || kind === 'integer' || kind === 'long') return name
    return wrong(own.name, sentence`law '${text}' compares numbers, and ${name} is of kind ${kind}`)
  }
  const average = averageForm.exec(String(text))
  const compared = comparisonIn(String(text))
  if (typeof text !== 'string' || !(average || compared)) {
    const forms = sentence`a law is 'column <= column or number' or 'amount / vol between low and high'`
    return wrong(own.name, sentence`${forms}, not ${JSON.stringify(text) ?? ''}`)
  }
  if (compared) {
    const { columns, due } = compared
    for (const name of [...columns, ...(typeof due === 'number' ? [] : due.map(([column]) => column))]) numeric(name)
    return { law: text.trim() }
  }
  const [amount, vol, low, high] = (average ?? []).slice(1).map(numeric) as [string, string, string, string]
  return averageLaw(own, { amount, vol, low, high })
}

function kindless(column: string, given: unknown): Words {
  return sentence`column ${column} has no kind '${String(given).slice(0, 80)}'; ${nameHint(String(given), kinds)}`
}

function checkColumns({ name, columns }: OwnDataset): void {
  if (Object.keys(columns).length === 0) wrong(name, sentence`it has no columns`)
  const spelt = new Map<string, string>()
  for (const [column, about] of Object.entries(columns)) {
    const other = spelt.get(column.toLowerCase())
    if (other) wrong(name, sentence`columns ${other} and ${column} differ only in case, and SQL reads both as one`)
    spelt.set(column.toLowerCase(), column)
    if (!/^[a-zA-Z]\w{0,62}$/.test(column))
      wrong(name, sentence`'${column}' is no name of a column: letters, digits, _`)
    if (column in Object.prototype) wrong(name, sentence`'${column}' is a member of every object: rename the column`)
    checkOptions<Column>(about, columnKinds, sentence`dataset ${name}: column ${column}`)
    if (!kinds.includes(about.kind)) wrong(name, kindless(column, about.kind))
    if (about.kind === 'label' && said.includes(column))
      wrong(
        name,
        sentence`queries use '${column}' for themselves: rename the column, or give it the kind text instead of label`,
      )
    if (about.meaning === undefined) wrong(name, sentence`column ${column} has no meaning`)
  }
}

function checkKnown(own: OwnDataset): void {
  const { name, knownAt } = own
  if (knownAt === undefined)
    wrong(name, sentence`it has no knownAt, such as ${"{ day: 'tradedate', at: '15:30:00', note: 'after the close' }"}`)
  checkOptions<object>(knownAt, knownKinds, sentence`dataset ${name}: knownAt`)
  const { day, at, minute, moment, or, fetched, note } = knownAt as Record<keyof typeof knownKinds, string | undefined>
  if (note === undefined) wrong(name, sentence`knownAt has no note, which says when in words`)
  const ofDays: readonly Kind[] = ['date', 'moment', 'text']
  const members = {
    day: [day, ofDays],
    minute: [minute, ['minute', 'text']],
    moment: [moment, ofDays],
    or: [or, ofDays],
  }
  for (const [member, [column, wanted]] of Object.entries(members) as [string, [string | undefined, Kind[]]][]) {
    if (column === undefined) continue
    const { kind } = own.columns[columnIn(own, column, 'knownAt')] as Column
    if (!wanted.includes(kind))
      wrong(name, sentence`knownAt: ${member} names ${column}, which is of kind ${kind}, not ${wanted.join(', ')}`)
  }
  const forms = [day !== undefined && at !== undefined, day !== undefined && minute !== undefined, moment !== undefined]
  if ([...forms, fetched !== undefined].filter(Boolean).length !== 1)
    wrong(name, sentence`knownAt is one of { day, at }, { day, minute }, { moment }, { fetched: true }`)
  if (at !== undefined && !/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(at))
    wrong(name, sentence`knownAt: at is a time HH:MM:SS, not ${JSON.stringify(at)}`)
}

/** @throws QuotebookError USAGE for what is no declaration, naming the member and the nearest right name */
function checkOwn(own: OwnDataset): void {
  checkOptions(own, ownKinds, sentence`a dataset of one's own`)
  const { name, title, columns, key, day } = own
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{1,39}$/.test(name) || taken.includes(name))
    throw new QuotebookError(
      'USAGE',
      sentence`a dataset's name is of 2 to 40 lowercase letters, digits and _, and not one of ${taken.join(', ')}: ${describeKind(name)} ${JSON.stringify(name) ?? ''}`,
    )
  if (title === undefined) wrong(name, sentence`it has no title`)
  if (columns === undefined) wrong(name, sentence`it has no columns`)
  checkColumns(own)
  if (key === undefined || key.length === 0)
    wrong(name, sentence`it has no key: the columns that tell a row from every other`)
  for (const [at, column] of key.entries()) {
    columnIn(own, column, 'key')
    if (key.indexOf(column) < at) wrong(name, sentence`key: ${column} stands twice`)
    if (columns[column]?.nullable) wrong(name, sentence`key: ${column} may be null, and then tells no row`)
  }
  if (day !== undefined && columns[columnIn(own, day, 'day')]?.kind !== 'date')
    wrong(name, sentence`day: ${day} is of kind ${columns[day]?.kind ?? ''}, not date`)
  if (day !== undefined && !key.includes(day)) wrong(name, sentence`day: ${day} must be in the key`)
  if (day === undefined && own.everyTradingDay) wrong(name, sentence`everyTradingDay needs a day`)
  checkKnown(own)
  for (const one of Object.keys(own.chinese?.columns ?? {})) columnIn(own, one, sentence`chinese.columns`)
}

/** What can be asked for: days, codes, and values of its short texts. */
function paramsOf({ columns, key, day }: OwnDataset): Dataset['params'] {
  const params: Record<string, Param> = day === undefined ? {} : { tradedate, startdate, enddate }
  const code = [...key, ...Object.keys(columns)].find((name) => columns[name]?.kind === 'code')
  if (code !== undefined)
    params['symbols'] = { kind: 'codes', role: 'match', columns: [code], meaning: 'Codes; absent, all.' }
  for (const [name, { kind, values }] of Object.entries(columns)) {
    if (kind !== 'label' || Object.hasOwn(params, name)) continue
    const meaning = 'Values wanted; absent, all.'
    params[name] = values
      ? { kind: 'choices', role: 'match', values, columns: [name], meaning }
      : { kind: 'texts', role: 'match', columns: [name], meaning }
  }
  return params
}

/** Chinese of the params; those of days are as everywhere. */
function chineseParams(params: Dataset['params']): Readonly<Record<string, string>> {
  const matching = Object.keys(params).filter((name) => params[name]?.role === 'match')
  return Object.fromEntries(
    matching.map((name) => [name, name === 'symbols' ? '代码；默认全部。' : '所需取值；默认全部。']),
  )
}

/**
 * A declaration as the whole dataset that it stands for: params follow from its columns (days, codes, short texts), an answer is
 * in the order of the key and has no limit.
 * @throws QuotebookError USAGE for what is no declaration
 */
export function completedDataset(own: OwnDataset): Dataset {
  checkOwn(own)
  const {
    name,
    title,
    about = 'Declared by the owner of this archive.',
    columns,
    key,
    day,
    knownAt,
    laws = [],
    partition,
    instruments,
    chinese = {},
  } = own
  const params = paramsOf(own)
  const all = laws.map((text) => lawOf(own, text))
  const average = all.find((law) => 'amount' in law)
  return {
    name,
    title,
    about,
    shape: 'rows',
    columns,
    key,
    order: key,
    params,
    ...(day !== undefined && { day, exclusive: dayOrRange, ranges: startToEnd }),
    ...(own.everyTradingDay && { everyTradingDay: true }),
    ...(instruments !== undefined && { instruments }),
    limit: { kind: 'none' },
    knownAt,
    laws: all.filter((law) => 'law' in law),
    ...(average && { average }),
    partition: partition ?? (day === undefined ? 'whole' : 'month'),
    archiveRule: 'dated',
    load: { kind: day === undefined ? 'once' : 'range' },
    nodes: 'intraday',
    rules: laws,
    subject: 'own',
    chinese: {
      title: chinese.title ?? title,
      about: chinese.about ?? own.about ?? '由归档所有者声明。',
      rules: laws,
      columns: {
        ...Object.fromEntries(Object.entries(columns).map(([one, { meaning }]) => [one, meaning])),
        ...chinese.columns,
      },
      params: chineseParams(params),
      known: chinese.known ?? knownAt.note,
    },
    example: {},
    own,
  }
}
