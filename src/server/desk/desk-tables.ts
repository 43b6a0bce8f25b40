import { countsStocks } from '../../contract/catalogue/theme-daily.js'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { unitText, valueTitle } from '../../contract/dataset-text.js'
import { etfNames } from '../../contract/etf-names.js'
import { wholeCode } from '../../contract/fitting-names.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { lists, strings } from '../../frame/read-columns.js'
import { formatSigned, plain } from '../../research/report/format-number.js'
import { html, risen } from '../../research/report/html.js'
import { reportDay } from '../../research/report/report-day.js'
import { etfsOf } from '../../research/report/section/etf-section.js'
import { type DeskColumn, datasetColumns, deskNumbers, deskTexts } from './desk-rows.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

/** A table of a day, as it was read. */
export interface DeskRows {
  readonly columns: readonly DeskColumn[]
  /** Codes of rows that have a page, by place. */
  readonly codes: readonly (string | undefined)[]
}

/** A day of a table, and the value that it is asked with, if it takes one. */
interface DayAsked {
  readonly day: string
  /** The trading day before, if it has rows. */
  readonly before: string | undefined
  readonly choice: string | undefined
  /** Nothing is asked for a later day: some lists have more columns then. */
  readonly isLatest: boolean
}

/** A table of the desk. */
export interface DeskTableRule {
  readonly id: string
  readonly title: (say: Say) => string
  readonly dataset: DatasetName
  /** Columns shown unless others are chosen. */
  readonly first: readonly string[]
  /** `-pct_chg`: from the highest change down. */
  readonly sort: string
  /** The param whose values are lists of their own. */
  readonly choice?: string
  /** Columns drawn against each other. */
  readonly scatter?: readonly [x: string, y: string]
  readonly read: (visit: DeskVisit, asked: DayAsked) => Promise<DeskRows>
}

/** Rows of one day of a dataset, and the codes of their instruments. */
const readDay =
  (name: DatasetName, code: string): DeskTableRule['read'] =>
  async ({ market, say }, { day, choice, isLatest }) => {
    const dataset = datasetOf(name)
    const { type, level } = dataset.params
    const hasModes = Object.values(dataset.columns).some(({ mode }) => mode !== undefined)
    const params = {
      ...(dataset.params.tradedate && !(isLatest && hasModes) && { tradedate: day }),
      ...(type?.required && { type: choice ?? type.values?.[0] }),
      ...(level && { level: choice }),
    }
    const table = await market.query(name, params)
    const kind = dataset.instruments ?? 'stock'
    const codes = strings(table, code).map((one) => (one === null ? undefined : wholeCode(one, kind)))
    return { columns: datasetColumns(dataset, table, say), codes }
  }

/** Statistical indices: those that count stocks have no points. */
const readIndices: DeskTableRule['read'] = async (visit, asked) => {
  const { columns, codes } = await readDay('theme_daily', 'symbol')(visit, asked)
  const names = columns.find(({ name }) => name === 'name')?.cells ?? []
  const points = unitText(datasetOf('theme_daily').columns['close'], visit.say.language)
  const counted = (column: DeskColumn): DeskColumn => ({
    ...column,
    show: (cell, at = -1) =>
      typeof cell === 'number' && countsStocks(String(names[at]))
        ? html`${column.name === 'change' ? risen(cell, formatSigned(cell, 0)) : plain(cell)} <small>${visit.say('stocks')}</small>`
        : column.show(cell),
  })
  return { columns: columns.map((one) => (one.unit === points ? counted(one) : one)), codes }
}

async function readEtfs({ market, say }: DeskVisit, { day, before }: DayAsked): Promise<DeskRows> {
  const days = [before, day].filter((one) => one !== undefined)
  const table = await market.query('etf_minute', { symbols: 'all', period: '15m' }, { days })
  const found = etfsOf(reportDay({ tables: { etf_minute: table }, source: { name: '' }, checks: [] })) ?? []
  const numbers = (name: string, unit: string, of: (one: (typeof found)[number]) => number, isChange = false) =>
    deskNumbers(
      { name, unit, isChange },
      found.map((one) => (Number.isNaN(of(one)) ? null : of(one))),
      say,
      unit === 'yuan' ? say('yuan') : unit,
    )
  const codes = found.map(({ symbol }) => symbol)
  const names = codes.map((code) => etfNames[code.slice(0, 6)] ?? null)
  const columns = [
    deskTexts('symbol', codes, say),
    deskTexts('name', names, say),
    numbers('close', 'yuan', ({ close }) => close),
    numbers('pct_chg', 'percent', ({ change }) => change, true),
    numbers('amount', 'yuan', ({ turnover }) => turnover),
    numbers('vwap', 'yuan', ({ vwap }) => vwap),
    { ...numbers('deviation', 'percent', ({ deviation }) => deviation, true), head: say('close over vwap') },
  ]
  return { columns, codes }
}

async function readThemes(visit: DeskVisit, { choice }: DayAsked): Promise<DeskRows> {
  const { market, say } = visit
  const table = await market.query('thememembers_jx', { level: choice ?? 'parent' })
  const [themes, members] = [strings(table, 'theme_symbol'), lists(table, 'symbols')]
  const counts = members.map((codes) => codes?.length ?? null)
  const stocks = members.map((codes) => codes?.join(' ') ?? null)
  const link = (code: string) => html`<a href="${deskHref(visit, ['code', code])}">${code}</a> `
  const columns = [
    deskTexts('theme_symbol', themes, say),
    deskNumbers({ name: 'members' }, counts, say),
    {
      ...deskTexts('symbols', stocks, say),
      show: (cell: unknown) =>
        String(cell ?? '')
          .split(' ')
          .map(link),
    },
  ]
  return { columns, codes: themes.map(() => undefined) }
}

// biome-ignore format: a table, one table a line or two
export const deskTables: readonly DeskTableRule[] = [
  { id: 'bonds', title: (say) => say(fact('DESK', 'Bonds')), dataset: 'convertible_daily', scatter: ['close', 'cb_over_rate'], sort: '-pct_chg',
    first: ['code', 'name', 'close', 'pct_chg', 'cb_over_rate', 'cb_value', 'amount', 'bond_over_rate'], read: readDay('convertible_daily', 'code') },
  { id: 'etfs', title: (say) => say('ETFs'), dataset: 'etf_minute', sort: '-amount',
    first: ['symbol', 'name', 'close', 'pct_chg', 'amount', 'vwap', 'deviation'], read: readEtfs },
  { id: 'indices', title: (say) => say(fact('DESK', 'Indices')), dataset: 'theme_daily', sort: '-pct_chg',
    first: ['symbol', 'name', 'close', 'pct_chg', 'amount', 'vol'], read: readIndices },
  { id: 'southbound', title: (say) => say(fact('DESK', 'Southbound')), dataset: 'southbound_top10', sort: '-net_amount',
    first: ['code', 'name', 'close', 'p_change', 'net_amount', 'amount', 'rank', 'market_type'], read: readDay('southbound_top10', 'code') },
  { id: 'themes', title: (say) => say(fact('DESK', 'Themes')), dataset: 'thememembers_jx', sort: 'theme_symbol', choice: 'level',
    first: ['theme_symbol', 'members', 'symbols'], read: readThemes },
  { id: 'hot', title: (say) => say(fact('DESK', 'Hot lists')), dataset: 'hotstock', sort: 'rank', choice: 'type',
    first: ['s', 'n', 'rank', 'pc'], read: readDay('hotstock', 's') },
  { id: 'anomalies', title: (say) => say(fact('DESK', 'Abnormal moves')), dataset: 'anomaly_forecast', sort: '-deviation_pct',
    first: ['symbol', 'name', 'pct_chg', 'rule', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'status'], read: readDay('anomaly_forecast', 'symbol') },
]

/** The values that a table may be asked with, and what each is called. */
export function choicesOf(
  { dataset: name, choice }: DeskTableRule,
  say: Say,
): readonly (readonly [value: string, title: string])[] {
  const dataset = datasetOf(name)
  const values = choice === undefined ? [] : (dataset.params[choice]?.values ?? [])
  return values.map((value) => [value, valueTitle(dataset, value, say.language) ?? value])
}
