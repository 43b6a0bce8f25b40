import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { random } from './interleave.mjs'

const minutes = ['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500']
const symbols = Array.from({ length: 4000 }, (_, at) => `${String(at * 17).padStart(6, '0')}.SZ`)
const dates = Array.from({ length: 28 }, (_, at) => `202607${String(at + 1).padStart(2, '0')}`)

const float = (data) => {
  const valid = data.some(Number.isNaN) ? Uint8Array.from(data, (x) => (Number.isNaN(x) ? 0 : 1)) : null
  return { type: 'float', data, valid }
}

/** Thirty-minute bars by day, symbol and minute: four columns of text and seven of numbers, every fiftieth bar without a trade. */
export function bars(rows) {
  const next = random()
  const codes = (dictionary, of) => ({
    type: 'dictionary',
    dictionary,
    data: Int32Array.from({ length: rows }, (_, row) => of(row)),
  })
  const price = Float64Array.from({ length: rows }, () => Math.round((1 + next() * 9) * 1000) / 1000)
  const traded = Uint8Array.from({ length: rows }, () => (next() > 0.02 ? 1 : 0))
  const of = (make) =>
    float(Float64Array.from({ length: rows }, (_, row) => (traded[row] ? make(price[row]) : Number.NaN)))
  const perDay = Math.ceil(rows / dates.length / minutes.length) * minutes.length
  const step = Math.max(1, Math.floor((symbols.length * minutes.length) / perDay))
  return {
    length: rows,
    columns: new Map([
      ['tradedate', codes(dates, (row) => Math.floor(row / perDay))],
      [
        'symbol',
        codes(
          symbols,
          (row) => (Math.floor((row % perDay) / 9) * step * 7 + (step > 1 ? Math.floor(row / perDay) : 0)) % 4000,
        ),
      ],
      ['trademin', codes(minutes, (row) => row % 9)],
      ['period', codes(['30m'], () => 0)],
      ['open', of((x) => x)],
      ['high', of((x) => Math.round(x * 1010) / 1000)],
      ['low', of((x) => Math.round(x * 990) / 1000)],
      ['close', float(price)],
      ['vol', float(Float64Array.from(price, () => Math.floor(next() * 1e6)))],
      ['amount', of(() => Math.round(next() * 1e12) / 100)],
      ['vwap', of((x) => x)],
    ]),
  }
}

/** A row for each symbol. */
export function stocks() {
  const rows = symbols.length
  return {
    length: rows,
    columns: new Map([
      [
        'symbol',
        {
          type: 'dictionary',
          dictionary: [...symbols].reverse(),
          data: Int32Array.from({ length: rows }, (_, row) => row),
        },
      ],
      ['shares', float(Float64Array.from({ length: rows }, (_, row) => row * 1e4))],
    ]),
  }
}

/** A row for each day and symbol. */
export function days() {
  const rows = symbols.length * dates.length
  const codes = (dictionary, of) => ({
    type: 'dictionary',
    dictionary,
    data: Int32Array.from({ length: rows }, (_, row) => of(row)),
  })
  return {
    length: rows,
    columns: new Map([
      ['tradedate', codes(dates, (row) => row % dates.length)],
      ['symbol', codes(symbols, (row) => Math.floor(row / dates.length))],
      ['factor', float(Float64Array.from({ length: rows }, (_, row) => row))],
    ]),
  }
}

/** Tables as files of plain bytes, which any program reads. */
export function folderOf(tables) {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const about = {}
  for (const [name, { columns }] of Object.entries(tables)) {
    about[name] = Array.from(columns, ([column, values]) => {
      writeFileSync(join(folder, `${name}.${column}`), values.data)
      return { name: column, words: values.dictionary ?? null }
    })
  }
  writeFileSync(join(folder, 'about.json'), JSON.stringify(about))
  return folder
}
