import { connect, loadPanel, planOrders, backtest, type Bar } from 'quotebook'
import { test } from 'vitest'
test('x', async () => {
  const market = await connect()
  const strategy = { score: (bond: Bar<'close' | 'cb_over_rate'>) => bond.close + bond.cb_over_rate, pick: { n: 5, side: 'lowest', exitRank: 8 } } as const
  const { panel, names } = await loadPanel(market, { dataset: 'convertible_daily' } as const)
  const plan = planOrders(panel, strategy, { cash: 1e6, names })
  console.log(plan)
  const again = planOrders(panel, strategy, { cash: plan.cashLeft, names, holdings: [...plan.orders.map(({symbol, shares})=>({symbol: symbol.slice(0,6), shares})), {symbol:'600000',shares:100}, {symbol: panel.symbols[3]!, shares: 105}] })
  console.dir(again, {depth: 5})
  await market.close()
})
