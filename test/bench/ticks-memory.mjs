import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { tickArchive } from './ticks-files.mjs'

export const question = 'memory of a process that reads a year of such days, 3 of 8 columns, day by day'

/*
 * The year is these days over and over: what is read of a day is gone with it. The peak is the system's own (Linux): the one
 * of getrusage begins with that of the process that has started this one.
 */
const [days, rounds] = [22, 11]

export async function measure({ load, dist }) {
  const dir = await tickArchive(load, days)
  const code = `(async () => {
    const { connect, numbers } = require('${join(dist, 'index.js')}')
    const market = await connect({ archive: '${dir}' })
    let [sum, count] = [0, 0]
    for (let round = 0; round < ${rounds}; round++)
      for await (const { table } of market.ticks.stream({ from: '20260101', to: '20261231', columns: ['symbol', 'm_price', 'auc_vol'] })) {
        for (const value of numbers(table, 'm_price')) sum += value
        count += table.numRows
      }
    if (count !== ${days * rounds}_000_000 || !(sum > 0)) throw new Error('not all was read: ' + count)
    await market.close()
    const [, peak] = /VmHWM:\\s*(\\d+) kB/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))
    process.stdout.write(String(peak / 1024))
  })().catch((error) => { console.error(error); process.exit(1) })`
  const { status, stdout } = spawnSync(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error('the process failed')
  return [{ what: `${days * rounds} days`, time: Number(stdout), against: 1024, goal: 1, unit: 'MiB' }]
}
