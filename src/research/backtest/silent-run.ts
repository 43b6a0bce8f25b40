import { sentence } from '../../contract/sentence.js'
import { Account } from './account.js'
import type { Bar, Cursor } from './cursor.js'
import type { SilenceWords } from './decision-tally.js'
import type { Panel } from './panel.js'
import { watchReads } from './refuse-names.js'

/** How many bars, and decisions, are asked again to see which columns they read. */
const mostBars = 20_000
const mostDecisions = 50

function timesIn(times: Uint8Array): number[] {
  return [...times.keys()].filter((time) => times[time])
}

/** What became of the rows of a run in which no score was a number; the account held nothing all the time. */
export function seenByRanks<C extends string>(
  { universe, score }: { readonly universe?: (bar: Bar<C>) => boolean; readonly score: (bar: Bar<C>) => number },
  cursor: Cursor<C>,
  panel: Panel<C>,
  times: Uint8Array,
): SilenceWords['seen'] {
  return () => {
    const columns = new Set<string>()
    const watched = watchReads(cursor.bar, (name) => columns.add(name)) as Bar<C>
    const width = panel.symbols.length
    let [rows, taken, scored, missing] = [0, 0, 0, 0]
    cursor.reset(panel.cols, new Account(0, panel as unknown as Panel))
    for (const time of timesIn(times)) {
      cursor.moveTo(time)
      for (let symbol = 0; symbol < width; symbol++) {
        const cell = time * width + symbol
        if (!panel.present[cell]) continue
        cursor.moveSymbol(symbol, cell)
        const bar = rows++ < mostBars ? watched : cursor.bar
        if (universe && !universe(bar)) continue
        taken++
        const value: number | undefined = score(bar)
        if (value === undefined) missing++
        else if (!Number.isNaN(value)) scored++
      }
    }
    const what =
      rows === 0
        ? 'no instrument has a row at those times'
        : taken === 0
          ? sentence`universe takes none of ${rows} rows`
          : missing === taken
            ? sentence`the score is undefined for each of ${taken} candidates: is a return missing?`
            : scored === 0
              ? sentence`the score is NaN for each of ${taken} candidates`
              : `${scored} have a score, and weight gives each of them 0`
    return { what, columns }
  }
}

/** Which columns a strategy for the market as a whole reads, asked again over its first decisions. */
export function seenOfCross<N extends object>(
  now: N,
  ask: (now: N, time: number, account: Account) => void,
  panel: Panel,
  times: Uint8Array,
): SilenceWords['seen'] {
  return () => {
    const columns = new Set<string>()
    const watched = watchReads(now, (name) => columns.add(name))
    const account = new Account(0, panel)
    for (const time of timesIn(times).slice(0, mostDecisions)) ask(watched, time, account)
    return { what: `${panel.symbols.length} instruments`, columns }
  }
}
