import { readFileSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BacktestResult, backtest } from '../../src/backtest/backtest.js'
import { panel } from '../../src/backtest/make-panel.js'
import { connect } from '../../src/connect.js'
import { objectsOf } from '../../src/frame/read-columns.js'

const files = 'data/sample/convertible_daily/*.parquet'
const rebalance = readFileSync('test/backtest/double-low-rebalance.sql', 'utf8')

interface Trade {
  readonly day: string
  readonly symbol: string
  readonly side: string
  readonly wanted: number
  readonly shares: number
  readonly price: number
  readonly amount: number
  readonly commission: number
  readonly reason: string | null
}

const bonds = `CREATE TABLE bonds AS
  WITH days AS (SELECT tradedate AS day, row_number() OVER (ORDER BY tradedate) AS place FROM (SELECT DISTINCT tradedate FROM '${files}'))
  SELECT tradedate AS day, code, (open::DECIMAL(18, 3) * 1000)::BIGINT AS open, (close::DECIMAL(18, 3) * 1000)::BIGINT AS close,
    (pre_close::DECIMAL(18, 3) * 1000)::BIGINT AS pre_close, vol::BIGINT * 10 AS volume,
    (cb_over_rate::DECIMAL(18, 4) * 10000)::BIGINT AS premium,
    CASE WHEN min(place) OVER (PARTITION BY code) = 1 THEN 999 ELSE place - min(place) OVER (PARTITION BY code) + 1 END AS listed_days
  FROM '${files}' JOIN days ON day = tradedate`

/** Each Monday's first trading day on or after it, and the one that follows; the sample begins with the first of its week. */
const steps = `WITH days AS (SELECT DISTINCT day, strptime(day, '%Y%m%d') AS moment FROM bonds),
  decided AS (SELECT min(day) AS day FROM days GROUP BY date_trunc('week', moment))
  SELECT decided.day AS decided, min(days.day) AS filled FROM decided JOIN days ON days.day > decided.day GROUP BY ALL ORDER BY ALL`

const tradesOf = `SELECT code, side, wanted::DOUBLE AS wanted, shares::DOUBLE AS shares, price::DOUBLE / 1000 AS price,
    ((shares * price + 5) // 10)::DOUBLE / 100 AS amount,
    greatest(100, ((shares * price + 5) // 10 * 2 + 5000) // 10000)::DOUBLE / 100 AS commission, reason
  FROM rebalance ORDER BY batch, place`

const settle = `
  UPDATE cash SET fen = fen + (SELECT coalesce(sum(CASE side WHEN 'sell' THEN amount ELSE -amount END
      - greatest(100, (amount * 2 + 5000) // 10000)), 0)
    FROM (SELECT side, (shares * price + 5) // 10 AS amount FROM rebalance WHERE shares > 0));
  CREATE OR REPLACE TEMP TABLE after AS SELECT code, sum(shares)::BIGINT AS shares FROM (
      FROM holdings UNION ALL SELECT code, CASE side WHEN 'sell' THEN -shares ELSE shares END FROM rebalance)
    GROUP BY code HAVING sum(shares) > 0;
  DELETE FROM holdings; INSERT INTO holdings FROM after`

async function rowsOf(connection: DuckDBConnection, text: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(text)).getRowObjectsJS()
}

/** The trades of every rebalance by SQL alone, and cash and equity (yuan) at the close of the days on which it traded. */
async function bySql(cash: number): Promise<{ trades: Trade[]; accounts: Record<string, unknown>[]; days: string[] }> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  await connection.run(bonds)
  await connection.run('CREATE TABLE holdings (code VARCHAR, shares BIGINT)')
  await connection.run(`CREATE TABLE cash AS SELECT ${cash * 100}::BIGINT AS fen`)
  const [trades, accounts, days]: [Trade[], Record<string, unknown>[], string[]] = [[], [], []]
  for (const { decided, filled } of await rowsOf(connection, steps)) {
    await connection.run(`CREATE OR REPLACE TABLE step AS SELECT '${decided}' AS decided, '${filled}' AS filled`)
    await connection.run(rebalance)
    const made = await rowsOf(connection, tradesOf)
    trades.push(...made.map(({ code, ...trade }) => ({ day: filled, symbol: code, ...trade }) as Trade))
    await connection.run(settle)
    const account = `SELECT '${filled}' AS tradedate, (FROM cash)::DOUBLE / 100 AS cash, ((FROM cash) + (
        SELECT coalesce(sum((shares * close + 5) // 10), 0) FROM holdings JOIN (
          SELECT code, arg_max(close, day) AS close FROM bonds WHERE day <= '${filled}' GROUP BY code) USING (code)))::DOUBLE / 100 AS equity`
    accounts.push(...(await rowsOf(connection, account)))
    days.push(filled as string)
  }
  const unexplained = `SELECT count(*)::INT AS n FROM (SELECT pre_close, lag(close) OVER (PARTITION BY code ORDER BY day) AS last FROM bonds)
    WHERE last <> pre_close`
  expect(await rowsOf(connection, unexplained), 'no ex-rights, of which this SQL knows nothing').toEqual([{ n: 0 }])
  return { trades, accounts, days }
}

async function byBacktest(cash: number): Promise<BacktestResult> {
  const market = await connect()
  const rows = await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
  const prices = panel(rows, { columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] })
  return backtest(
    prices,
    {
      universe: (bond) => bond.vol > 0 && bond.listedDays > 5,
      score: (bond) => bond.close + 0.2 * bond.cb_over_rate,
      pick: { n: 5, side: 'lowest', keepWithin: 8 },
      when: { weekly: 1 },
    },
    { cash },
  )
}

describe.each([1_000_000, 10_000_000, 30_000_000])('double low with %i yuan, by SQL and by the engine', (cash) => {
  let sql: Awaited<ReturnType<typeof bySql>>
  let result: BacktestResult
  beforeAll(async () => {
    ;[sql, result] = [await bySql(cash), await byBacktest(cash)]
  })

  test('every fill: day, code, side, shares, price, amount, commission', () => {
    expect(sql.days.length).toBeGreaterThanOrEqual(10)
    const filled = sql.trades.filter(({ shares }) => shares > 0)
    expect(filled.length).toBeGreaterThan(40)
    const expected = filled.map(({ wanted: _, reason: __, day, ...trade }) => ({
      tradedate: day,
      ...trade,
      stamp: 0,
      transfer: 0,
    }))
    expect(objectsOf(result.fills)).toEqual(expected)
  })

  test('every order that was not filled, or not wholly', () => {
    const cut = sql.trades.filter(({ reason, wanted, shares }) => reason !== null || shares < wanted)
    const expected = cut.map(({ day, symbol, side, wanted, shares, reason }) => ({
      tradedate: day,
      symbol,
      side,
      wanted,
      filled: shares,
      reason,
    }))
    expect(objectsOf(result.rejected)).toEqual(expected)
  })

  test('cash and equity at the close of each of these days', () => {
    const days = new Set(sql.days)
    const ours = objectsOf(result.account).filter(({ tradedate }) => days.has(tradedate as string))
    expect(ours.map(({ tradedate, cash, equity }) => ({ tradedate, cash, equity }))).toEqual(sql.accounts)
  })
})

test('the share of the volume, the cash and a suspension bind where the account is large', async () => {
  const reasons = (await bySql(30_000_000)).trades.flatMap(({ reason }) => reason ?? [])
  expect(new Set(reasons)).toEqual(new Set(['volume', 'cash', 'suspended']))
})
