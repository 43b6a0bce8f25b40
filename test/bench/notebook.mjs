import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { interleave } from './interleave.mjs'

export const question = `notebooks as processes: ten cells over the bars of the sample, against nbconvert with ipykernel and pandas on the same
  rows; one more cell, against 0.3 s`

const cellsOf = {
  typescript: [
    "import { asTable, connect, derive, filter, groupBy, pivot, sort } from 'quotebook'",
    'const market = await connect()',
    'const bars = await market.load.etfMinute({})\nbars.shape',
    'const wide = derive(bars, { spread: (c) => c.high.minus(c.low).over(c.close) })\nwide.head()',
    'const moved = filter(wide, (row) => row.spread > 0.01)\nmoved.shape',
    "const means = groupBy(wide, 'symbol', { spread: ['spread', 'mean'], amount: ['amount', 'sum'] })\nmeans.head()",
    "sort(means, '-amount').head()",
    "const closes = pivot(bars, { index: ['tradedate', 'trademin'], columns: 'symbol', values: 'close' })\ncloses.shape",
    "groupBy(wide, 'tradedate', { spread: ['spread', 'median'] }).head()",
    'asTable(means).numRows',
  ],
  python: [
    'import pandas as pd',
    "path = 'bars.csv'",
    "bars = pd.read_csv(path, dtype={'tradedate': str, 'trademin': str})\nbars.shape",
    "bars['spread'] = (bars.high - bars.low) / bars.close\nbars.head()",
    'moved = bars[bars.spread > 0.01]\nmoved.shape',
    "means = bars.groupby('symbol').agg(spread=('spread', 'mean'), amount=('amount', 'sum'))\nmeans.head()",
    "means.sort_values('amount', ascending=False).head()",
    "closes = bars.pivot_table(index=['tradedate', 'trademin'], columns='symbol', values='close')\ncloses.shape",
    "bars.groupby('tradedate').spread.median().head()",
    'len(means)',
  ],
}

const kernels = {
  typescript: { display_name: 'TypeScript', language: 'typescript', name: 'tslab' },
  python: { display_name: 'Python 3', language: 'python', name: 'python3' },
}

function notebook(path, language, sources) {
  const cells = sources.map((source) => ({
    cell_type: 'code',
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  }))
  const metadata = { kernelspec: kernels[language], language_info: { name: language } }
  writeFileSync(path, JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }))
}

function run(command, words, cwd) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stdout}${stderr}`)
  return true
}

export async function measure({ dist, connect, toCsv }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const cli = resolve(dist, '../cli/quotebook.cjs')
  const out = join(dir, 'out')
  mkdirSync(out)
  const market = await connect()
  writeFileSync(join(dir, 'bars.csv'), toCsv(await market.query('etf_minute', {})))
  await market.close()
  notebook(join(dir, 'own.ipynb'), 'typescript', cellsOf.typescript)
  notebook(join(dir, 'python.ipynb'), 'python', cellsOf.python)
  notebook(join(dir, 'one.ipynb'), 'typescript', ['const a0 = 0'])
  notebook(
    join(dir, 'more.ipynb'),
    'typescript',
    Array.from({ length: 21 }, (_, at) => `const a${at} = ${at}`),
  )
  const own = (name) => run(process.execPath, [cli, 'notebook', 'run', `${name}.ipynb`, '--out', out], dir)
  const hasPeer = spawnSync('jupyter-nbconvert', ['--version']).status === 0
  if (!hasPeer) console.log('  jupyter-nbconvert is not installed: ten cells are compared with nothing')
  const nbconvert = () =>
    run('jupyter-nbconvert', ['--to', 'html', '--execute', '--output-dir', out, 'python.ipynb'], dir)
  try {
    const times = await interleave(
      { ten: () => own('own'), one: () => own('one'), more: () => own('more'), ...(hasPeer && { nbconvert }) },
      { rounds: 7, warmUp: 1 },
    )
    const peer = { what: 'ten cells, nbconvert', time: times.ten, against: times.nbconvert, goal: 1.5 }
    return [
      ...(hasPeer ? [peer] : []),
      { what: 'one more cell', time: (times.more - times.one) / 20, against: 300, goal: 1 },
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
