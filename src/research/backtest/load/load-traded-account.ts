import { allDatasets } from '../../../contract/catalogue.js'
import type { CodeKind } from '../../../contract/dataset.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { instrumentClassOf } from '../../../contract/trading-rules.js'
import type { Data } from '../../../frame/data.js'
import type { Market } from '../../../market.js'
import type { Panel } from '../panel.js'
import { statementLines } from '../statement-lines.js'
import { accountOfLines, type TradedAccount, type TradedOptions, tradedKinds } from '../traded-account.js'
import { loadPanel } from './load-panel.js'

/** The kind of an instrument, as datasets name that of theirs. */
function kindOfCode(code: string): CodeKind {
  const about = instrumentClassOf(code) ?? ''
  return about.includes('bond') ? 'bond' : /ETF|fund|REIT/i.test(about) ? 'fund' : 'stock'
}

/** Datasets with prices of instruments of a kind, daily ones first. */
function pricesOf(kind: CodeKind): readonly string[] {
  const fits = allDatasets().filter(({ columns, day, instruments = kind, params }) => {
    return day && 'open' in columns && 'close' in columns && params['symbols'] && instruments === kind
  })
  return fits.sort((a, b) => Number('trademin' in a.columns) - Number('trademin' in b.columns)).map(({ name }) => name)
}

/**
 * Builds an account from a broker's statements: round trips, income, its value on each day at the source's closes, and
 * returns without deposits and withdrawals. An instrument without prices keeps the price of its last trade.
 *
 * `tearSheet(await tradedAccount(market, await readStatement('交割单.xls')))`
 * @throws QuotebookError USAGE; MISSING_COLUMN; INVALID_VALUE naming file, line, column and cell
 */
export async function tradedAccount(
  market: Market,
  statement: Data,
  options: TradedOptions = {},
): Promise<TradedAccount> {
  const { to, kinds } = checkOptions<TradedOptions>(options, tradedKinds, 'tradedAccount')
  const { lines, repeated } = statementLines(statement, kinds)
  const [panels, notes]: [Panel[], Words[]] = [[], []]
  for (const kind of ['bond', 'fund', 'stock'] as const) {
    const traded = lines.filter(({ code, shares }) => shares !== 0 && kindOfCode(code) === kind)
    const params = { symbols: [...new Set(traded.map(({ code }) => code))] }
    for (const dataset of traded.length > 0 ? pricesOf(kind) : []) {
      try {
        const data = { dataset, columns: ['open', 'close'], params, history: 5 }
        const { panel } = await loadPanel(market, data as never, { from: lines[0]?.day, to })
        panels.push(panel as Panel)
        break
      } catch (error) {
        notes.push(sentence`${dataset}: ${(error as Error).message}`)
      }
    }
  }
  if (repeated > 0) notes.push(sentence`${repeated} lines stand in more than one file and count once`)
  return accountOfLines(lines, panels, { ...options, notes })
}
