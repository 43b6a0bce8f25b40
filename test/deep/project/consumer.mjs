// What someone writes who has installed the package and nothing else.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import {
  connect,
  DataFrame,
  filter,
  groupBy,
  join,
  numbers,
  QuotebookError,
  rowsOf,
  sort,
  toDataFrame,
  verifyTicks,
} from 'quotebook'

const market = await connect()
const bonds = await market.load.convertibleDaily({ startdate: '20260701' })
if (!(bonds instanceof DataFrame)) throw new Error('not a DataFrame')
const sorted = sort(bonds, '-close', 'code')
const groups = groupBy(bonds, ['code'], { turnover: ['amount', 'sum'], days: 'rows' })
const joined = join(
  filter(sorted, (row) => row.close > 150),
  groups,
  { on: 'code' },
)
const own = bonds.sortValues('close', { ascending: false }).groupby(['code']).col(['close']).count()
const bars = await market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })
const answer = await market.sql('select 1 as one').then(
  (table) => numbers(table, 'one')[0],
  (error) => error instanceof QuotebookError && [error.code, error.message],
)
const refused = (() => {
  try {
    return bonds.loc({ columns: ['closse'] })
  } catch (error) {
    return error instanceof QuotebookError
  }
})()
// whole days in threads, and some symbols, which DuckDB finds where it is installed
const days = { from: '20260720', to: '20260729' }
const ticks = await market.ticks.read({ ...days, threads: 2 })
const found = await market.ticks.read({ ...days, symbols: '300750', columns: ['time', 'm_price'] })
const installed = dirname(createRequire(import.meta.url).resolve('quotebook/package.json'))
const proven = await verifyTicks(`${installed}/data/sample`)
await market.close()
const exact = new DataFrame([[12345678901.23]], { columns: ['amount'] }).add(0).values[0][0]
console.log(
  JSON.stringify({
    rows: bonds.shape[0],
    first: rowsOf(sorted)[0].slice(0, 3),
    groups: rowsOf(groups).slice(0, 2),
    joined: joined.shape,
    last: rowsOf(joined).at(-1),
    own: own.shape,
    bars: toDataFrame(bars).shape,
    refused,
    exact,
    ticks: [ticks.numRows, found.numRows, numbers(found, 'm_price').at(-1), proven.ok, proven.rows],
    sql: answer,
  }),
)
