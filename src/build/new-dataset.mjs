/*
 * `npm run new dataset NAME`: a dataset begins as one file, its declaration, with a sheet of the sample beside it; lists, sample and Python
 * client follow. What the declaration says is an example to be written over.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const declaration = (name, constant) => `import type { Dataset } from '../dataset.js'
import { afterClose, dayOrRange, enddate, startdate, startToEnd, tradedate, tradingDay } from '../shared.js'

export const ${constant} = {
  name: '${name}',
  title: '${name.replaceAll('_', ' ')}',
  about: 'One row a fund and day.',
  shape: 'rows',
  columns: {
    tradedate: tradingDay,
    symbol: { kind: 'code', spelling: 'full', meaning: 'Code with exchange suffix.' },
    close: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Last price of the day.' },
  },
  key: ['tradedate', 'symbol'],
  order: ['tradedate', 'symbol'],
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: '6 digits, or with exchange suffix.' },
    tradedate,
    startdate,
    enddate,
  },
  exclusive: dayOrRange,
  ranges: startToEnd,
  limit: { kind: 'cap', rows: 6000 },
  knownAt: afterClose,
  day: 'tradedate',
  everyTradingDay: true,
  instruments: 'fund',
  partition: 'month',
  archiveRule: 'dated',
  load: { kind: 'range' },
  cache: { spellings: ['full', 'bare'], latest: 'latest' },
  nodes: 'intraday',
  rules: ['At most 6,000 rows a call.', 'startdate later than enddate is a parameter error.'],
  subject: 'quotes',
  example: { symbols: ['510300.SH'] },
} as const satisfies Dataset
`

const sheet = (name, constant) => `import { below, fork } from './random.js'
import { sheetOf } from './sample-sheet.js'

/** Drawn from a root of its own, so that the rows of no other sheet move. */
export const ${constant}Sheet = sheetOf(
  '${name}',
  (sample) => sample.days,
  (sample, days) =>
    days.flatMap(({ date, t }) =>
      sample.etfs.map(({ symbol }) => {
        const own = fork(fork(fork(sample.seed, '${name}'), symbol), t)
        return { tradedate: date, symbol, close: (1000 + below(own, 3000)) / 1000 }
      }),
    ),
)
`

function write(file, text) {
  if (existsSync(file)) throw new Error(`${file} is there already`)
  writeFileSync(file, text)
  return file
}

function edit(file, ...changes) {
  const text = readFileSync(file, 'utf8')
  const changed = changes.reduce((now, [where, put]) => now.replace(where, (found) => put(found)), text)
  writeFileSync(file, changed)
  return file
}

const run = (...words) => execFileSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })

const [kind, name = ''] = process.argv.slice(2)
if (kind !== 'dataset' || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
  console.error('npm run new dataset NAME, with a name such as fund_daily')
  process.exit(2)
}
const constant = name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
const file = name.replaceAll('_', '-')
const [catalogue, generate] = ['src/contract/catalogue.ts', 'src/research/sample/generate-sample.ts']
const imported = (from) => [/^import /m, () => `import { ${from[0]} } from '${from[1]}'\nimport `]
const made = [
  write(`src/contract/catalogue/${file}.ts`, declaration(name, constant)),
  write(`src/research/sample/${file}-sheet.ts`, sheet(name, constant)),
  edit(catalogue, imported([constant, `./catalogue/${file}.js`]), [/\n\] as const/, (end) => `\n  ${constant},${end}`]),
  edit(generate, imported([`${constant}Sheet`, `./${file}-sheet.js`]), [
    /\n\}\nconst sheets/,
    (end) => `\n  ${name}: ${constant}Sheet,${end}`,
  ]),
]
run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...made)
run('src/build/build.mjs', 'danfo', 'lib', 'page', 'python', 'package', 'cli')
rmSync('data/sample', { recursive: true })
run('dist/cli/quotebook.cjs', 'sample', '--archive', 'data/sample')
console.log(`Made, as an example to write over:
  ${made[0]}
  ${made[1]}
Changed: ${catalogue}, ${generate}, data/sample, clients/python/quotebook.py

Look at it:  npm run dev -- query ${name} --source data/sample
After a change of columns or rows:  npm run sample
What tests list:  npm test, then npm run accept
Left to write: a check in src/research/checks/dataset/ with its line in all-checks.ts, the Chinese of its texts in src/contract/locale/zh.json
(npx vitest run test/cli/sentences.test.ts test/server/service/page-texts.test.ts names them), its row in docs/guide/from-tushare.md and from-akshare.md, a line in CHANGELOG.md`)
