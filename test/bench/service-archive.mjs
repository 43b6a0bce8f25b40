/** An archive of ETF bars of 15 minutes, made of arithmetic: the same symbols and days give the same files. */
const minutes = '0930 0945 1000 1015 1030 1045 1100 1115 1130 1315 1330 1345 1400 1415 1430 1445 1500'.split(' ')

/** Trading days, near enough: `count` days of 2026 that are not at a weekend. */
export function daysOf(count) {
  const days = []
  for (let at = Date.UTC(2026, 0, 5); days.length < count; at += 86_400_000) {
    const day = new Date(at)
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10).replaceAll('-', ''))
  }
  return days
}

export function symbolsOf(count) {
  return Array.from({ length: count }, (_, i) => (i % 2 ? `${159_000 + i}.SZ` : `${510_000 + i}.SH`)).sort()
}

const cents = (value) => Math.round(value * 1000) / 1000

function bar(day, symbol, minute, i, k) {
  const open = cents(1 + ((i * 37 + day * 11) % 4000) / 1000 + k / 100)
  const close = cents(open + ((i + k * 7 + day) % 21) / 1000 - 0.01)
  const vol = 1000 + ((i * 7919 + k * 104_729 + day * 31) % 500_000)
  const amount = Math.round(vol * open * 100)
  const [h, m] = [minute.slice(0, 2), minute.slice(2)]
  return [
    symbol,
    minute,
    `${h}:${m}:0${k % 10}`,
    open,
    cents(open + 0.012),
    cents(open - 0.011),
    close,
    vol,
    amount,
    open,
  ]
}

/** Daily quotes of 500 bonds, numbers of three decimals throughout. */
function bondRows({ columns }, days) {
  const texts = { tradedate: (_, day) => day, symbol: (i) => String(123_000 + i), name: (i) => `示例${i}转债` }
  const code = (i) => `${123_000 + i}.SZ`
  const number = (i, _, d) => cents(100 + ((i * 37 + d * 11) % 40_000) / 1000)
  const cells = Object.keys(columns).map(
    (name, at) => texts[name] ?? (name === 'code' ? code : (i, day, d) => number(i + at, day, d)),
  )
  return days.flatMap((day, d) => Array.from({ length: 500 }, (_, i) => cells.map((cell) => cell(i, day, d))))
}

/** Writes the archive; `load` brings modules of the build. */
export async function makeArchive(dir, { symbols, days, withBonds = false, withSt = false }, load) {
  const { ArchiveWriter } = await load('data/archive/writer.js')
  const { decode } = await load('frame/table/decode.js')
  const { datasetOf } = await load('contract/catalogue.js')
  const dataset = datasetOf('etf_minute')
  const fields = Object.keys(dataset.columns)
  const writer = await ArchiveWriter.open(dir)
  for (const [d, day] of days.entries()) {
    const rows = symbols.flatMap((symbol, i) => minutes.map((minute, k) => [day, ...bar(d, symbol, minute, i, k)]))
    const columns = decode(dataset, fields, rows)
    const period = { type: 'dictionary', data: new Int32Array(rows.length), dictionary: ['15m'] }
    await writer.put(
      dataset,
      { length: rows.length, columns: new Map([...columns.columns, ['period', period]]) },
      'bench',
    )
  }
  const bonds = datasetOf('convertible_daily')
  if (withBonds) await writer.put(bonds, decode(bonds, Object.keys(bonds.columns), bondRows(bonds, days)), 'bench')
  const st = datasetOf('st')
  const stRow = (i) => ['20260701', String(600_000 + i), `示例股份${i}`, 'ST', 'n'.repeat(80)]
  if (withSt)
    await writer.put(
      st,
      decode(
        st,
        Object.keys(st.columns),
        Array.from({ length: 60_000 }, (_, i) => stRow(i)),
      ),
      'bench',
    )
  await writer.commit()
}
