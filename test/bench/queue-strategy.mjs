import { market, options, sweepSize } from './backtest.mjs'

/** What the workers of queue.mjs run: the strategy of the sweep in threads, on the panel that who asks has too. */
export { make } from './sweep-strategy.mjs'

const load = (path) => import(new URL(`../../dist/modules/${path}`, import.meta.url).href)

export default async () => ({
  panel: market({ ...(await load('index.js')), ...(await load('research/backtest/panel.js')) }, sweepSize),
  options,
})
