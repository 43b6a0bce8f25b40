import { countsStocks } from '../../contract/catalogue/theme-daily.js'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { unitText } from '../../contract/dataset-text.js'
import { etfNames } from '../../contract/etf-names.js'
import { wholeCode } from '../../contract/fitting-names.js'
import { parseCode } from '../../contract/symbol.js'
import { strings } from '../../frame/read-columns.js'
import { day, formatSigned, plain } from '../../research/report/format-number.js'
import { html, risen } from '../../research/report/html.js'
import { reportDay } from '../../research/report/report-day.js'
import { candidateState, ruleText } from '../../research/report/section/anomaly-section.js'
import { etfsOf } from '../../research/report/section/etf-section.js'
import { type DeskColumn, type DeskRows, datasetColumns, deskNumbers, deskTexts, wordColumn } from './desk-rows.js'
import type { DeskVisit } from './desk-visit.js'
import { knownStockNames, latestList } from './known-stocks.js'

/** A day of a table, and the value that it is asked with, if it takes one. */
export interface DayAsked {
  readonly day: string
  /** The trading day before, if it has rows. */
  readonly before: string | undefined
  readonly choice: string | undefined
  /** Nothing is asked for a later day: some lists have more columns then. */
  readonly isLatest: boolean
}

/** How a table of a day is read. */
export type ReadTable = (visit: DeskVisit, asked: DayAsked) => Promise<DeskRows>

/** Rows of one day of a dataset, and the codes of their instruments. */
export const readRowsOfDay =
  (name: DatasetName, code: string): ReadTable =>
  async ({ market, say }, { day, choice }) => {
    const dataset = datasetOf(name)
    const { type, level } = dataset.params
    const params = {
      ...(dataset.params.tradedate && { tradedate: day }),
      ...(type?.required && { type: choice ?? type.values?.[0] }),
      ...(level && { level: choice }),
    }
    const table = await market.query(name, params)
    const kind = dataset.instruments ?? 'stock'
    const codes = strings(table, code).map((one) => (one === null ? undefined : wholeCode(one, kind)))
    return { columns: datasetColumns(dataset, table, say), codes }
  }

const dailyIndices = readRowsOfDay('theme_daily', 'symbol')

/** Statistical indices: those that count stocks have no points, and changed by so many, not by a percentage. */
export const readIndexTable: ReadTable = async (visit, asked) => {
  const { columns, codes } = await dailyIndices(visit, asked)
  const names = columns.find(({ name }) => name === 'name')?.cells ?? []
  const points = unitText(datasetOf('theme_daily').columns['close'], visit.say.language)
  const counted = (column: DeskColumn): DeskColumn => ({
    ...column,
    show: (cell, at = -1) =>
      typeof cell === 'number' && countsStocks(String(names[at]))
        ? html`${column.name === 'change' ? risen(cell, formatSigned(cell, 0)) : plain(cell)} <small>${visit.say('stocks')}</small>`
        : column.show(cell),
  })
  const isCount = (at: number): boolean => countsStocks(String(names[at]))
  const change = columns.find(({ name }) => name === 'change')
  const changed = (column: DeskColumn): DeskColumn => ({
    ...column,
    cells: column.cells.map((cell, at) => (isCount(at) ? null : cell)),
    rest: change?.cells,
    show: (cell, at = -1) =>
      change && isCount(at) ? counted(change).show(change.cells[at] ?? null, at) : column.show(cell),
  })
  const shown = (one: DeskColumn): DeskColumn =>
    one.unit === points ? counted(one) : one.name === 'pct_chg' ? changed(one) : one
  return { columns: columns.map(shown), codes }
}

export const readEtfs: ReadTable = async ({ market, say }, { day, before }) => {
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

const dailySouthbound = readRowsOfDay('southbound_top10', 'code')

/** Southbound stocks, a row a channel: net buys and turnover are those of the channel of the row, besides the sums of both. */
export const readSouthbound: ReadTable = async (visit, asked) => {
  const { say } = visit
  const { columns, codes } = await dailySouthbound(visit, asked)
  const of = new Map(columns.map((one) => [one.name, one]))
  const channel = of.get('market_type')?.cells ?? []
  const own = (part: 'net_amount' | 'amount', head: string, isChange: boolean) => {
    const [shanghai, shenzhen] = [of.get(`sh_${part}`)?.cells, of.get(`sz_${part}`)?.cells]
    const cells = channel.map((one, at) => (one === '2' ? shanghai : one === '4' ? shenzhen : undefined)?.[at] ?? null)
    return { ...deskNumbers({ name: `channel_${part}`, unit: 'yuan', isChange }, cells, say, say('yuan')), head }
  }
  const words: Readonly<Record<string, string>> = { 2: say('via Shanghai'), 4: say('via Shenzhen') }
  return {
    columns: [
      ...columns.map((one) => (one.name === 'market_type' ? wordColumn(one, (cell) => words[cell] ?? cell) : one)),
      own('net_amount', say('net buys of the channel'), true),
      own('amount', say('turnover of the channel'), false),
    ],
    codes,
  }
}

const dailyHot = readRowsOfDay('hotstock', 's')

/** A hot list with its places; the list of a day carries no names, so they are those of the latest rows. */
export const readHot: ReadTable = async (visit, asked) => {
  const { say } = visit
  const { columns, codes } = await dailyHot(visit, asked)
  const known = await knownStockNames(visit)
  const latest = asked.isLatest ? await latestList(visit, asked.choice) : undefined
  const bare = codes.map((code) => parseCode(code ?? '').bare)
  const moved = bare.map((code) => latest?.changes.get(code) ?? null)
  const names = bare.map((code) => latest?.names.get(code) ?? known.get(code) ?? null)
  const more = asked.isLatest ? [deskNumbers({ name: 'pc', unit: 'percent', isChange: true }, moved, say)] : []
  return { columns: [...columns, deskTexts('n', names, say), ...more], codes }
}

const dailyCandidates = readRowsOfDay('anomaly_forecast', 'symbol')

/** Candidates of abnormal moves, their status in a word; with those of the latest day come the forecasts for the next. */
export const readAbnormalMoves: ReadTable = async (visit, asked) => {
  const { say } = visit
  const { columns, codes } = await dailyCandidates(visit, asked)
  const dayWord = (cell: string): string => (cell > asked.day ? `${day(cell)} ${say('forecast')}` : day(cell))
  const changes = columns.find(({ name }) => name === 'pct_chg')?.cells ?? []
  const words: Readonly<Record<string, Parameters<typeof wordColumn>[1]>> = {
    status: (cell, at) => candidateState(cell, changes[at], say),
    rule: (cell) => ruleText(cell, say),
    tradedate: dayWord,
  }
  const shown = columns.map((one) => {
    const word = words[one.name]
    return word ? wordColumn(one, word) : one
  })
  return { columns: shown, codes }
}
