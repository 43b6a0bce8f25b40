import { allDatasets } from '../../../contract/catalogue.js'
import type { CodeKind } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { instrumentClassOf } from '../../../contract/trading-rules.js'
import type { Data } from '../../../frame/data.js'
import type { Market } from '../../../market.js'
import type { Panel } from '../panel.js'
import { statementLines, type TradedKinds } from '../statement-lines.js'
import { loadPanel } from './load-panel.js'

/** What an instrument is, as datasets say what theirs are. */
function kindOfCode(code: string): CodeKind {
  const about = instrumentClassOf(code) ?? ''
  if (about.includes('bond')) return 'bond'
  return /ETF|fund|REIT/i.test(about) ? 'fund' : 'stock'
}

/** Datasets with closes of instruments of a kind, daily ones first. */
function pricesOf(kind: CodeKind): readonly string[] {
  const fits = allDatasets().filter(({ columns, day, instruments, params }) => {
    return (
      day !== undefined &&
      'open' in columns &&
      'close' in columns &&
      params['symbols'] &&
      (instruments ?? kind) === kind
    )
  })
  return fits.sort((a, b) => Number('trademin' in a.columns) - Number('trademin' in b.columns)).map(({ name }) => name)
}

/**
 * The closes of what statements have traded, from the daily prices of a source or else from its bars: convertible bonds, ETFs, and shares of a dataset of one's own.
 * @returns notes of datasets that have none
 */
export async function loadTradedPrices(
  market: Market,
  statement: Data,
  { to, kinds }: { readonly to?: string | undefined; readonly kinds?: TradedKinds | undefined } = {},
): Promise<{ readonly panels: readonly Panel[]; readonly notes: readonly Words[] }> {
  const { lines } = statementLines(statement, kinds)
  const from = lines[0]?.day
  const panels: Panel[] = []
  const notes: Words[] = []
  for (const kind of ['bond', 'fund', 'stock'] as const) {
    const codes = [
      ...new Set(lines.flatMap(({ code, shares }) => (shares !== 0 && kindOfCode(code) === kind ? [code] : []))),
    ]
    for (const dataset of codes.length > 0 ? pricesOf(kind) : []) {
      try {
        const data = { dataset, columns: ['open', 'close'], params: { symbols: codes }, history: 5 }
        const { panel } = await loadPanel(market, data as never, { from, to })
        panels.push(panel as Panel)
        break
      } catch (error) {
        notes.push(sentence`${dataset}: ${(error as Error).message}`)
      }
    }
  }
  return { panels, notes }
}
