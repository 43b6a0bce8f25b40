// One question in a process of its own; says how many rows came, and the processor time of the process.
const [, , library, dir, what, first, last] = process.argv
const code = '510100.SH'
const columns = what === 'two columns of it' ? ['tradedate', 'close'] : undefined

async function ofArchive() {
  const { connect } = await import(library)
  const market = await connect({ archive: dir })
  const query = (params, options) => market.query('etf_minute', { period: '15m', ...params }, options)
  if (what === 'one day, all codes') return query({ tradedate: last, symbols: 'all' })
  if (what === 'one code, one day') return query({ symbols: [code], tradedate: last })
  return query({ symbols: [code] }, { days: { from: first, to: last }, fields: columns })
}

async function ofDuckDb() {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const db = await (await DuckDBInstance.create()).connect()
  const day = what.startsWith('one day') || what.endsWith('one day') ? last : '*'
  const from = `read_parquet('${dir}/etf_minute/${day}.*.parquet')`
  const own = what === 'one day, all codes' ? '' : `and symbol = '${code}'`
  const sql = `select ${columns?.join(', ') ?? '*'} from ${from} where period = '15m' ${own} order by tradedate, symbol, trademin`
  const reader = await db.runAndReadAll(sql)
  reader.getColumns()
  return { numRows: reader.currentRowCount }
}

const { numRows: rows, shape } = await (library === 'duckdb' ? ofDuckDb() : ofArchive())
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ rows: rows ?? shape[0], time: (user + system) / 1000 }))
process.exit(0)
