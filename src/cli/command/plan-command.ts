import { extname, resolve } from 'node:path'
import type { Command } from 'commander'
import { sourceText } from '../../contract/dataset-text.js'
import { sayIn, wordsIn } from '../../contract/say.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { fromRows } from '../../frame/table/from-rows.js'
import { toCsv } from '../../frame/write-data.js'
import { planPage } from '../../research/report/plan-page/plan-page.js'
import {
  type PlanTable,
  type PlanView,
  planTables,
  shownColumns,
  wordedColumns,
} from '../../research/report/plan-page/plan-tables.js'
import { planWordIn, planWords } from '../../research/report/plan-page/plan-words.js'
import { accountWords } from '../account-words.js'
import { language, say } from '../chosen-language.js'
import { date, interactiveWord, nameValuePair, sourceWords } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { checkTarget, out, tell, textGrid } from '../output.js'
import { runPlan } from '../run-plan.js'
import { userLibrary } from '../run-strategy.js'
import { withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

const forms = ['table', 'csv', 'json', 'html'] as const
const encodings = ['utf8', 'gbk'] as const

type Options = OptionsOf<typeof words>

const orderColumns = ['code', 'name', 'side', 'shares', 'lots', 'limit', 'limit_down', 'limit_up']

/** The orders and nothing else. */
function orderFile({ plan }: PlanView): string {
  const rows = plan.orders.map((one) => [
    one.symbol,
    one.name,
    one.side,
    one.shares,
    one.lots,
    one.limit,
    one.limitDown,
    one.limitUp,
  ])
  return toCsv(fromRows(rows, { columns: orderColumns }))
}

/** A text in GBK; what it does not have becomes a question mark. */
function inGbk(text: string): Uint8Array {
  const decoder = new TextDecoder('gbk')
  const bytes = new Map<string, readonly number[]>()
  for (let high = 0x81; high < 0xff; high++)
    for (let low = 0x40; low < 0xff; low++) bytes.set(decoder.decode(Uint8Array.of(high, low)), [high, low])
  return Uint8Array.from([...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : (bytes.get(one) ?? [0x3f]))))
}

const headOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function tableGrid(table: PlanTable, rows: readonly object[]): string {
  const columns = shownColumns(table, rows)
  const word = (name: string): string => planWordIn(name, sayIn('zh'))
  const cellOf = (name: string, value: unknown): unknown => {
    if (typeof value === 'number') return Number(value.toPrecision(10))
    const text = String(value ?? '')
    return language === 'zh' && wordedColumns.includes(name) ? text.split(',').map(word).join('，') : text
  }
  const cells = rows.map((row) => columns.map((name) => cellOf(name, (row as Record<string, unknown>)[name])))
  return `${textGrid(
    columns.map((name) => (language === 'zh' ? word(name) : headOf(name))),
    cells,
  )}\n`
}

/** Tables that have rows, each under its name but for the orders. */
function planText(view: PlanView): string {
  const tables = (Object.entries(planTables(view)) as [PlanTable, readonly object[]][]).filter(
    ([, rows]) => rows.length > 0,
  )
  return tables
    .map(
      ([name, rows]) =>
        `${name === 'orders' ? '' : `\n${language === 'zh' ? planWords[name](sayIn('zh')) : name}\n`}${tableGrid(name, rows)}`,
    )
    .join('')
}

/** How many cuts changed a decision; what can't be checked is said as a warning. */
function checkedText({ ok, cuts, fault, firstDifference }: NonNullable<PlanView['plan']['lookahead']>): string {
  if (fault) return say('cannot be checked, see the warnings')
  return ok ? say('0/{cuts}', { cuts }) : `! ${firstDifference?.time}`
}

function sayPlan({ plan, source, account }: PlanView): void {
  const { day, tradeDay, orders, equity, cash, cashLeft, lookahead } = plan
  for (const what of plan.warnings) tell('warning: {what}', { what: wordsIn(what, language) })
  tell('decided at the close of {day} by {source}; orders for {tradeDay}: {orders}', {
    day,
    tradeDay,
    source: sourceText(source.name, language),
    orders: orders.length,
  })
  if (!plan.isDecided) tell('the strategy decides nothing on {day}', { day })
  const checked = lookahead ? checkedText(lookahead) : '-'
  tell('equity {equity}, cash {cash}, cash left {left} yuan; look-ahead {lookahead}', {
    equity,
    cash,
    left: cashLeft,
    lookahead: checked,
  })
  if (account) {
    const { start, days, changes } = account
    const others = [...new Set(changes.map((one) => one.day))].join(' ') || '0'
    tell('paper account of {days} days, {start} -> {end}; days that would be other now: {changes}', {
      days: days.length,
      start,
      end: days.at(-1)?.equity ?? start,
      changes: others,
    })
  }
  tell('nothing was sent to a broker')
}

async function run(file: string, options: Options): Promise<void> {
  const { out: target, encoding } = options
  const ending = forms.find((form) => target !== undefined && extname(target) === `.${form}`)
  const format = options.format ?? ending ?? 'table'
  if (encoding === 'gbk' && format !== 'csv') throw wrongUse('--encoding gbk requires --format csv')
  if (target !== undefined) checkTarget(target)
  const library = await userLibrary()
  const view = await withMarket(options, (market) => runPlan(library, market, file, options), library.connect)
  const makers = {
    table: planText,
    csv: orderFile,
    json: (all: PlanView) => `${JSON.stringify(all, null, 2)}\n`,
    html: (all: PlanView) => planPage(all, language, options.interactive),
  }
  const text = await makers[format](view)
  const bytes = encoding === 'gbk' ? inGbk(text) : text
  if (target === undefined) out(bytes)
  else {
    await writeFileAtomically(resolve(target), bytes)
    tell('wrote {file} ({rows} rows)', { file: target, rows: view.plan.orders.length })
  }
  sayPlan(view)
  if (view.plan.lookahead?.ok === false) process.exitCode = 1
}

// biome-ignore format: a table, one word a line
const words = {
  plan: ["plan tomorrow's orders of your strategy, with or without a paper account; nothing is ever sent to a broker"],
  '<file>': ['module of the strategy, as for backtest'],
  '--holdings <file>': ['CSV of your holdings: code and shares (证券代码, 持仓); with --cash'],
  '--account <dir>': ['folder of a paper account: fills the orders of the previous evening, then plans again; missed evenings are caught up'],
  '--from-today': ['continue with a changed strategy, changed parameters or options'],
  '--fills <file>': ['CSV of real fills, to compare with the paper account: day, code, side, shares, price, fees'],
  '--day <day>': ['day of the decision (at its close), YYYYMMDD (default: the last day that is due)', date],
  '--param <NAME=VALUE>': ['a parameter of the strategy (repeatable)', nameValuePair],
  ...accountWords,
  '--format <format>': ['csv is the order file (default: by the name of --out, or a table)', { choices: forms }],
  '--encoding <encoding>': ['encoding of the order file', { choices: encodings, usual: 'utf8' }],
  '--out <file>': ['write to a file instead of stdout'],
  ...interactiveWord,
  ...sourceWords,
} as const satisfies CommandWords

export const planCommand = (): Command => declare(words).action(run)
