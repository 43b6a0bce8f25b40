/*
 * Builds dist/, step by step, and of the steps only those whose inputs have changed since: each leaves the sha256 of what it
 * was made from in dist/.built/. They run side by side, but for those `after` another. `npm run build -- cli` runs that step alone,
 * `npm run build -- --all` builds everything anew; `--types`, `--lint`, `--tests`, `--notebooks` and `--docs` run that further step too.
 * Beside tests, what the others print stands after theirs.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const danfo = 'src/frame/danfo'
const page = 'src/server/service/page'
const steps = {
  danfo: { of: ['src/frame', 'src/contract'], run: [`${danfo}/bundle.mjs`, `${danfo}/declarations.mjs`] },
  lib: { of: ['src'], run: ['src/build/lib.mjs'] },
  page: { of: [page, 'src/contract', 'src/data/names'], run: ['src/build/page.mjs'] },
  cli: { of: ['src'], run: ['src/build/cli.mjs'], after: ['danfo'] },
  package: {
    after: ['danfo'],
    of: ['src', 'tsconfig.base.json', 'tsconfig.build.json'],
    run: ['src/build/package.mjs'],
  },
}
const tsc = 'node_modules/typescript/bin/tsc'
const configs = ['vitest.config.ts', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.page.json']
/** What is run only where it is asked for: checks of the types and of the form of everything, and the kernel of the notebooks. */
const furtherSteps = {
  types: {
    after: ['danfo'],
    of: ['src', 'test', ...configs],
    run: [`${tsc} -p tsconfig.json`, `${tsc} -p tsconfig.page.json`],
  },
  docs: { after: ['danfo', 'lib'], of: ['docs', 'src', 'data', 'clients'], run: ['docs/.vitepress/build.mjs'] },
  // These look themselves whether anything is to be done.
  lint: { run: ['node_modules/@biomejs/biome/bin/biome check .'] },
  notebooks: { run: ['notebooks/install.mjs'] },
  // They wait for processes and timers half of the time, in which the types are checked.
  tests: { after: Object.keys(steps), run: ['node_modules/vitest/vitest.mjs run --project apart --project pure'] },
}

const isFile = (path) => statSync(path).isFile()
const filesIn = (path) =>
  isFile(path)
    ? [path]
    : readdirSync(path, { recursive: true })
        .map((name) => join(path, name))
        .filter((name) => !/\.vitepress\/(?:pages|cache|\.temp)\//.test(name) && isFile(name))

function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...inputs, 'src/build', 'package.json', 'package-lock.json'].flatMap(filesIn).sort())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

const stampOf = (name) => `dist/.built/${name}`
function isBuilt(name, hash) {
  try {
    return readFileSync(stampOf(name), 'utf8') === hash
  } catch {
    return false
  }
}

const words = process.argv.slice(2)
const all = { ...steps, ...furtherSteps }
const named = words.filter((word) => word in all)
const isWanted = (name) => words.includes(`--${name}`) || (named.length > 0 ? named.includes(name) : name in steps)

/** What is printed beside the tests, as it comes. */
const beside = []

async function runScript(script, isHeld) {
  const child = spawn(process.execPath, script.split(' '), { stdio: isHeld ? 'pipe' : 'inherit' })
  for (const stream of isHeld ? [child.stdout, child.stderr] : []) stream.on('data', (piece) => beside.push(piece))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
}

async function runStep(name, { of, run, after = [] }) {
  await Promise.all(after.map((one) => begun[one]))
  if (!isWanted(name)) return
  const hash = of && hashOf(of)
  if (hash && isBuilt(name, hash)) return
  rmSync(stampOf(name), { force: true })
  const isHeld = name !== 'tests' && isWanted('tests')
  await Promise.all(run.map((script) => runScript(script, isHeld)))
  if (hash) writeFileSync(stampOf(name), hash)
}

if (words.includes('--all')) rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/.built', { recursive: true })
const begun = {}
for (const [name, step] of Object.entries(all)) begun[name] = runStep(name, step)
// The others end before this does: none writes into dist afterwards.
const ended = await Promise.allSettled(Object.values(begun))
process.stdout.write(Buffer.concat(beside))
for (const error of new Set(ended.flatMap(({ reason }) => reason ?? []))) {
  console.error(`build: ${error.message}`)
  process.exitCode = 1
}
