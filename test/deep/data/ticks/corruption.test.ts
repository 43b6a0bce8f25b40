// Deep: some thousand damaged files go through threads that may die.
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../../src/frame/read-columns.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { fromParquet } from '../../../../src/frame/table/parquet.js'
import type { ColumnData } from '../../../../src/frame/table/values.js'
import { toParquet } from '../../../../src/frame/write-data.js'
import { each, type Seen, seen, useTickLooks } from '../../../helper/tick-looks.js'

useTickLooks()

/** Every how manieth byte is changed, in its lowest bit. */
const [often, seldom] = [8, 24]

const text = (words: readonly string[], codes: readonly number[]): ColumnData => ({
  type: 'dictionary',
  data: Int32Array.from(codes),
  dictionary: words,
})

/** A day of four columns and eight rows in two row groups, without checksums. */
async function small(): Promise<Uint8Array> {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7]
  const of = new Map<string, ColumnData>([
    ['tradedate', text(['20260506'], Array<number>(8).fill(0))],
    [
      'symbol',
      text(
        ['000001.SZ', '600000.SH'],
        rows.map((row) => row >> 2),
      ),
    ],
    [
      'time',
      text(
        ['09:15:03', '09:15:09', '09:24:57', '09:25:00'],
        rows.map((row) => row & 3),
      ),
    ],
    ['m_price', { type: 'float', data: Float64Array.from(rows, (row) => 10 + row / 100), valid: null }],
  ])
  const label = { kind: 'label', meaning: 'made' } as const
  return toParquet(toTable({ length: 8, columns: of }, { tradedate: label, symbol: label, time: label }), {
    rowGroup: 4,
  })
}

type Verdict = 'reported' | 'same' | 'other'

interface Subject {
  readonly bytes: Uint8Array
  readonly footerAt: number
  readonly rows: string
  readonly columns: string
}

async function subject(bytes: Uint8Array): Promise<Subject> {
  const { findings, report } = await seen(bytes)
  expect(findings).toEqual([])
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true)
  const rows = JSON.stringify(rowsOf(await fromParquet(bytes)))
  return { bytes, footerAt: bytes.length - 8 - length, rows, columns: JSON.stringify(report.schema) }
}

/** Told: as a finding, or as another schema than that of the other days. Otherwise the rows, or others. */
async function verdict({ rows, columns }: Subject, bytes: Uint8Array, found: Seen): Promise<Verdict> {
  if (found.findings.length > 0 || JSON.stringify(found.report.schema) !== columns) return 'reported'
  return JSON.stringify(rowsOf(await fromParquet(bytes))) === rows ? 'same' : 'other'
}

async function damaged(whole: Subject, from: number, to: number, stride: number): Promise<Record<Verdict, number>> {
  const tally: Record<Verdict, number> = { reported: 0, same: 0, other: 0 }
  const places = Array.from({ length: Math.ceil((to - from) / stride) }, (_, at) => from + at * stride)
  await each(places, async (at) => {
    const bytes = whole.bytes.slice()
    bytes[at] = (bytes[at] as number) ^ 1
    tally[await verdict(whole, bytes, await seen(bytes))]++
  })
  return tally
}

let plain: Subject
let summed: Subject
beforeAll(async () => {
  plain = await subject(await small())
  summed = await subject(new Uint8Array(readFileSync('test/fixture/parquet/crc-v1.parquet')))
})

test('a byte changed in the footer is told, or the rows are the same', { timeout: 300_000 }, async () => {
  const { reported, same, other } = await damaged(plain, plain.footerAt, plain.bytes.length, often)
  expect(other).toBe(0)
  expect(reported).toBeGreaterThan(same)
})

test('a byte changed in a page with a checksum is told', { timeout: 300_000 }, async () => {
  const { reported, other } = await damaged(summed, 0, summed.footerAt, seldom)
  expect(other).toBe(0)
  expect(reported).toBeGreaterThan(0)
})

test('a file that is cut is told, wherever it is cut', { timeout: 300_000 }, async () => {
  const unseen: number[] = []
  await each(
    Array.from({ length: plain.bytes.length }, (_, length) => length),
    async (length) => {
      const { findings } = await seen(plain.bytes.subarray(0, length))
      if (!findings.some(({ severity }) => severity === 'fault')) unseen.push(length)
    },
  )
  expect(unseen).toEqual([])
})
