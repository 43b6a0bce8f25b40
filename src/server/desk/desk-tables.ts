import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { valueTitle } from '../../contract/dataset-text.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { lists, strings } from '../../frame/read-columns.js'
import { html } from '../../research/report/html.js'
import { type DeskRows, deskNumbers, deskTexts } from './desk-rows.js'
import { type DeskVisit, deskHref } from './desk-visit.js'
import {
  type DayAsked,
  type ReadTable,
  readAbnormalMoves,
  readEtfs,
  readHot,
  readIndexTable,
  readRowsOfDay,
  readSouthbound,
} from './table-readers.js'
import { readMembers } from './theme-members.js'

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
  /** What stands in the place of no rows; without it, that the source has none of the day. */
  readonly none?: (say: Say) => string
  /** Columns drawn against each other. */
  readonly scatter?: readonly [x: string, y: string]
  readonly read: ReadTable
}

async function readThemes(visit: DeskVisit, { choice }: DayAsked): Promise<DeskRows> {
  const { market, say } = visit
  const table = await market.query('thememembers_jx', { level: choice ?? 'parent' })
  const [themes, members] = [strings(table, 'theme_symbol'), lists(table, 'symbols')]
  const counts = members.map((codes) => codes?.length ?? null)
  const stocks = members.map((codes) => codes?.join(' ') ?? null)
  const link = (code: string) => html`<a href="${deskHref(visit, ['code', code])}">${code}</a> `
  const columns = [
    {
      ...deskTexts('theme_symbol', themes, say),
      show: (cell: unknown) =>
        html`<a href="${deskHref(visit, ['table', 'themes', String(cell)])}">${String(cell)}</a>`,
    },
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
    first: ['code', 'name', 'close', 'pct_chg', 'cb_over_rate', 'cb_value', 'amount', 'bond_over_rate'], read: readRowsOfDay('convertible_daily', 'code') },
  { id: 'etfs', title: (say) => say('ETFs'), dataset: 'etf_minute', sort: '-amount',
    first: ['symbol', 'name', 'close', 'pct_chg', 'amount', 'vwap', 'deviation'], read: readEtfs },
  { id: 'indices', title: (say) => say(fact('DESK', 'Indices')), dataset: 'theme_daily', sort: '-pct_chg',
    first: ['symbol', 'name', 'close', 'pct_chg', 'amount', 'vol'], read: readIndexTable },
  { id: 'southbound', title: (say) => say(fact('DESK', 'Southbound')), dataset: 'southbound_top10', sort: '-channel_net_amount',
    first: ['code', 'name', 'close', 'p_change', 'channel_net_amount', 'channel_amount', 'market_type', 'rank'], read: readSouthbound },
  { id: 'themes', title: (say) => say(fact('DESK', 'Themes')), dataset: 'thememembers_jx', sort: 'theme_symbol', choice: 'level',
    first: ['theme_symbol', 'members', 'symbols'], read: readThemes },
  { id: 'hot', title: (say) => say(fact('DESK', 'Hot lists')), dataset: 'hotstock', sort: 'rank', choice: 'type',
    first: ['s', 'n', 'rank', 'pc'], read: readHot },
  { id: 'anomalies', title: (say) => say(fact('DESK', 'Abnormal moves')), dataset: 'anomaly_forecast', sort: '-deviation_pct',
    first: ['symbol', 'name', 'tradedate', 'status', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'pct_chg', 'rule', 'elapsed_days'], read: readAbnormalMoves },
]

/** The table of a theme's stocks. */
export const memberTable = (theme: string): DeskTableRule => ({
  id: 'themes',
  title: (say) => `${say(fact('DESK', 'Themes'))} ${theme}`,
  dataset: 'thememembers_jx',
  sort: '-pc',
  first: ['symbol', 'name', 'pc'],
  none: (say) => say('This theme has no stocks in this archive.'),
  read: (visit) => readMembers(visit, theme),
})

/** The values that a table may be asked with, and what each is called. */
export function choicesOf(
  { dataset: name, choice }: DeskTableRule,
  say: Say,
): readonly (readonly [value: string, title: string])[] {
  const dataset = datasetOf(name)
  const values = choice === undefined ? [] : (dataset.params[choice]?.values ?? [])
  return values.map((value) => [value, valueTitle(dataset, value, say.language) ?? value])
}
