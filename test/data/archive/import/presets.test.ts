import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPreset, presetsOf } from '../../../../src/data/archive/import/find-preset.js'
import { connect, type DatasetName, datasetOf, datasets, importFiles, toObjects } from '../../../../src/index.js'
import { tempDir, tempFile } from '../../../helper/temp.js'

const days = { startdate: '20260720', enddate: '20260729' }
const asked: Partial<Record<DatasetName, object>> = {
  convertible_daily: days,
  southbound_top10: days,
  transfer_financing: days,
  st: days,
  finance_announcement: {},
  hotstock: { type: 'dfcf&renqi', tradedate: '20260727' },
}
const list: Readonly<Record<string, object>> = {
  'AKShare stock_hot_up_em': { type: 'dfcf&biaos', tradedate: '20260727' },
}

/** A decimal moved by text, as no number would do it. */
function moved(value: number, places: number): string {
  const [whole = '', part = ''] = String(Math.abs(value)).split('.')
  const at = whole.length + places
  const digits = whole + part
  const wide = at > 0 ? digits.padEnd(at, '0') : '0'.repeat(1 - at) + digits
  const point = Math.max(at, 1)
  return `${value < 0 ? '-' : ''}${wide.slice(0, point)}${wide.length > point ? `.${wide.slice(point)}` : ''}`
}

const tables = datasets.flatMap((dataset) => presetsOf(dataset).filter(({ form }) => form === undefined))

test.each(tables.map((preset) => [preset.name, preset] as const))(
  'rows written as %s have them come back the same',
  async (name, preset) => {
    const dataset = preset.dataset as DatasetName
    const { columns } = datasetOf(dataset)
    const market = await connect()
    const params = list[name] ?? asked[dataset] ?? {}
    const rows = toObjects(await market.query(dataset, params)).slice(0, 200)
    await market.close()
    expect(rows.length).toBeGreaterThan(0)
    const isOfOne = 'code' in columns && !preset.columns.some(({ to }) => to === 'code')
    const one = isOfOne ? rows.filter(({ code }) => code === rows[0]?.code) : rows
    const lines = one.map((row) =>
      preset.columns.map(({ to, shift = 0 }) => {
        const cell = to === undefined ? 'x' : row[to]
        if (cell === null || cell === undefined) return ''
        return typeof cell === 'number' ? moved(cell, -shift) : JSON.stringify(cell).replaceAll('\\"', '""')
      }),
    )
    const text = [preset.columns.map(({ heads }) => heads[0]), ...lines].map((cells) => cells.join(',')).join('\n')
    const set = {
      ...(isOfOne && { code: String(one[0]?.code), symbol: String(one[0]?.symbol) }),
      ...(dataset === 'hotstock' && { tradedate: '20260727' }),
    }
    const archive = join(tempDir(), 'own')
    await importFiles(archive, datasetOf(dataset), [tempFile('table.csv', text)], { set })
    const own = await connect({ archive })
    const back = toObjects(await own.query(dataset, params)).slice(0, 200)
    await own.close()
    const kept = preset.columns.flatMap(({ to }) => to ?? [])
    const only = (all: readonly object[]) =>
      all.map((row) => Object.fromEntries(kept.map((column) => [column, (row as Record<string, unknown>)[column]])))
    const sorted = (all: readonly object[]) =>
      only(all)
        .map((row) => JSON.stringify(row))
        .sort()
    expect(sorted(back)).toEqual(sorted(one))
  },
)

test('a declaration names columns that there are, and none twice; each says where it is published', () => {
  expect(tables.length).toBeGreaterThan(8)
  for (const preset of tables) {
    const dataset = datasetOf(preset.dataset)
    const to = preset.columns.flatMap((column) => column.to ?? [])
    expect(new Set(to).size).toBe(to.length)
    for (const name of [...to, ...Object.keys(preset.given ?? {})]) expect(dataset.columns).toHaveProperty(name)
    expect(preset.source).toMatch(/^https:\/\//)
    const heads = preset.columns.map((column) => column.heads[0] as string)
    const found = findPreset('x', dataset, {}, heads)
    expect(found?.preset).toBe(preset)
  }
})

test('the rows of the documentation: a place in the list is that of the row, and Hong Kong is none of these', async () => {
  const dataset = datasetOf('hotstock')
  const archive = join(tempDir(), 'own')
  const [day, heads] = [{ set: { tradedate: '20260727' } }, '当前排名,代码,股票名称,最新价']
  const rank = `${heads},涨跌额,涨跌幅\n1,SZ002261,拓维信息,18.83,0.090384,0.48\n2,SH603000,人民网,34.35,2.881965,8.39\n`
  const up = `排名较昨日变动,${heads},涨跌额,涨跌幅\n4491,484,SH688226,威腾电气,18.89,2.349916,12.44\n4240,454,SZ301079,邵阳液压,19.42,1.648758,8.49\n`
  for (const text of [rank, up]) await importFiles(archive, dataset, [tempFile('table.csv', text)], day)
  const own = await connect({ archive })
  const listed = async (type: string) =>
    toObjects(await own.query('hotstock', { type, tradedate: '20260727' })).map(({ s, rank: at }) => [s, at])
  expect(await listed('dfcf&renqi')).toEqual([
    ['002261', 1],
    ['603000', 2],
  ])
  expect(await listed('dfcf&biaos')).toEqual([
    ['688226', 1],
    ['301079', 2],
  ])
  await own.close()
  const hongKong = tempFile('hk.csv', `${heads},涨跌幅\n1,00700,腾讯控股,376.8,0.32\n`)
  await expect(importFiles(archive, dataset, [hongKong], day)).rejects.toThrow(
    /looks like AKShare stock_hot_rank_em .*lacks 涨跌额/,
  )
})
