import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { median, random } from './interleave.mjs'

export const question = `the study of a factor over 5,000 names, 500 times and three horizons, against the same figures in numpy: processor time,
  in turns, medians of five; the figures are compared`

const [times, names, horizons, rounds] = [500, 5000, [1, 5, 20], 5]

/** Scores that last, with ties and gaps, and returns that follow them a little. */
function signalOf() {
  const next = random(20_261_130)
  const normal = () => next() + next() + next() + next() - 2
  const size = times * names
  const [score, price] = [new Float64Array(size), new Float64Array(size)]
  for (let cell = 0; cell < size; cell++) {
    const before = cell >= names ? score[cell - names] : 0
    score[cell] = Math.round((0.9 * before + normal()) * 1000) / 1000
    price[cell] = (cell >= names ? price[cell - names] : 1) * (1 + 0.001 * before + 0.02 * normal())
  }
  const forward = horizons.map((h) =>
    Float64Array.from({ length: size }, (_, cell) =>
      cell + h * names < size ? price[cell + h * names] / price[cell] - 1 : Number.NaN,
    ),
  )
  for (let cell = 0; cell < size; cell++) if (next() < 0.02) score[cell] = Number.NaN
  return {
    times: Array.from({ length: times }, (_, t) => String(t).padStart(3, '0')),
    symbols: Array.from({ length: names }, (_, s) => `N${s}`),
    score,
    forward,
    horizons,
  }
}

function numpy({ score, forward }) {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const put = (name, column) => writeFileSync(join(folder, name), new Uint8Array(column.buffer))
  put('score', score)
  for (const [at, h] of horizons.entries()) put(`forward${h}`, forward[at])
  const script = fileURLToPath(new URL('factor-numpy.py', import.meta.url))
  const child = spawn('/usr/bin/python3', ['-B', script, folder, String(times), String(names), horizons.join()])
  child.stderr.pipe(process.stderr)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run() {
      child.stdin.write('run\n')
      return JSON.parse((await lines.next()).value)
    },
    close() {
      child.stdin.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function compare(study, due) {
  const near = (what, a, b) => {
    if (!(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)))) throw new Error(`${what} is ${a}, numpy has ${b}`)
  }
  near('turnover', study.meanTurnover.at(-1), due.turnover)
  near('autocorrelation', study.meanRankAutocorrelation, due.auto)
  for (const [at, { quantileReturns, ...figures }] of due.horizons.entries()) {
    const own = study.horizons[at]
    for (const [name, value] of Object.entries(figures)) near(`${name} over ${own.horizon}`, own[name], value)
    for (const [q, value] of quantileReturns.entries()) near(`quantile ${q + 1}`, own.quantileReturns[q], value)
    near('decay', study.decay.meanIc[at], due.decay[at])
  }
}

export async function measure({ load }) {
  const { factorStudy } = await load('index.js')
  const signal = signalOf()
  const peer = numpy(signal)
  const found = { own: [], theirs: [] }
  try {
    for (let round = -1; round < rounds; round++) {
      const before = process.cpuUsage()
      const study = factorStudy(signal)
      const { user, system } = process.cpuUsage(before)
      const due = await peer.run()
      compare(study, due)
      if (round < 0) continue
      found.own.push((user + system) / 1000)
      found.theirs.push(due.cpu)
    }
  } finally {
    peer.close()
  }
  return [{ what: '5,000 names, 500 times', time: median(found.own), against: median(found.theirs), goal: 1.5 }]
}
