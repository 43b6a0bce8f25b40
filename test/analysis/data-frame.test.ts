import { expect, test } from 'vitest'
import { southboundFlows } from '../../src/analysis/southbound/southbound-flows.js'
import { checkAnomalies } from '../../src/checks/anomaly/check-anomalies.js'
import { resampleBars } from '../../src/checks/bars/resample-bars.js'
import { checkPremium } from '../../src/checks/dataset/check-premium.js'
import { checkSouthbound } from '../../src/checks/southbound/check-southbound.js'
import { checkVwap } from '../../src/checks/vwap/check-vwap.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { type Row, tableFrom } from './help.js'

const bars: Row[] = ['0931', '0932', '0933'].map((trademin, i) => ({
  tradedate: '20260701',
  symbol: '159915.SZ',
  trademin,
  open: 1,
  high: 1,
  low: 1,
  close: i === 1 ? null : 1,
  vol: i,
  amount: i * 100,
  vwap: i === 0 ? null : 1,
}))

const south: Row = {
  trade_date: '20260701',
  code: '00700.HK',
  name: null,
  close: 1,
  p_change: null,
  rank: null,
  market_type: '2',
  amount: 3,
  net_amount: 1,
  sh_amount: 3,
  sh_net_amount: 1,
  sh_buy: 2,
  sh_sell: 1,
  sz_amount: null,
  sz_net_amount: null,
  sz_buy: null,
  sz_sell: null,
}

const candidate: Row = {
  tradedate: '20260702',
  symbol: '000001',
  name: '名',
  pct_chg: null,
  rule: '连续10个交易日内日收盘价格涨幅偏离值累计达到+100%',
  elapsed_days: 8,
  deviation_pct: 95,
  required_pct_chg: 2.5,
  trigger_price: 10.25,
  status: 'reachable',
}

const bond: Row = {
  tradedate: '20260701',
  code: '123124.SZ',
  name: null,
  close: 110,
  cb_value: 100,
  cb_over_rate: 10,
}

test('a DataFrame gives what its Arrow table gives', async () => {
  const same = async (name: string, rows: readonly Row[], of: (input: Parameters<typeof checkVwap>[0]) => unknown) => {
    const table = tableFrom(name, rows)
    const plain = (input: Parameters<typeof checkVwap>[0]): unknown => {
      const out = of(input) as { table?: never }
      return out.table ? { ...out, table: objectsOf(out.table), worst: null } : objectsOf(out as never)
    }
    expect(plain(await toDataFrame(table))).toEqual(plain(table))
  }
  await same('etf_minute', bars, (input) => checkVwap(input))
  await same('etf_minute', bars, (input) => resampleBars(input, '30m'))
  await same('southbound_top10', [south], (input) => checkSouthbound(input))
  await same('southbound_top10', [south], (input) => southboundFlows(input))
  await same('anomaly_forecast', [candidate], (input) => checkAnomalies(input))
  await same('convertible_daily', [bond], (input) => checkPremium(input))
})
