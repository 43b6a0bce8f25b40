/* Deep: runs Python beside us, over prices that an archive keeps as a dataset of one's own. */
import { expect, test } from 'vitest'
import { connect } from '../../../../../src/connect.js'
import { datasetOf, declareDataset } from '../../../../../src/contract/catalogue.js'
import { importFiles } from '../../../../../src/data/archive/import/import-files.js'
import { toCsv } from '../../../../../src/frame/write-data.js'
import { file, newPlace, removeFolders } from '../../../../promise/helper/files.js'
import { computed, differences, oracle, pricesTable } from './oracle-compare.js'
import { marketOf } from './oracle-markets.js'

removeFolders()

test('verdicts over stock dailies of an archive are those of the oracle', async () => {
  const factor = { kind: 'number', nullable: true } as const
  const own = (name: string, column: string) =>
    declareDataset({
      name,
      title: 'Daily prices of stocks',
      columns: {
        tradedate: { kind: 'date', meaning: 'Day.' },
        symbol: { kind: 'code', meaning: 'Stock.' },
        name: { kind: 'label', nullable: true, meaning: 'Short name.' },
        list_date: { kind: 'date', nullable: true, meaning: 'First day.' },
        close: { ...factor, unit: 'yuan', meaning: 'Close.' },
        ...(column !== 'adjusted' && { [column]: { ...factor, meaning: 'What tells ex-rights.' } }),
      },
      key: ['tradedate', 'symbol'],
      day: 'tradedate',
      knownAt: { day: 'tradedate', at: '15:30:00', note: 'after the close' },
    })
  let rows = 0
  for (let number = 0; number < 24; number++) {
    const market = marketOf(20_260_731, number, 4)
    const [price] = market.prices
    const isUnique = new Set(market.prices.map((one) => `${one.tradedate} ${one.symbol}`)).size === market.prices.length
    if (!price || !isUnique) continue
    const column = ['pre_close', 'adj_factor'].find((name) => name in price) ?? 'adjusted'
    const { name } = own(`prices_by_${column}`, column)
    const dir = newPlace()
    await importFiles(dir, datasetOf(name), [file('prices.csv', toCsv(pricesTable(market.prices)))])
    const kept = await (await connect({ archive: dir })).query(name, {}, { days: { from: '19901219' } })
    expect(kept.numRows).toBe(market.prices.length)
    const [answer] = oracle([market])
    if (!answer) throw new Error('the oracle said nothing')
    expect(differences(computed(market, kept), answer).slice(0, 5)).toEqual([])
    rows += answer.rows.length
  }
  expect(rows).toBeGreaterThan(200)
})
