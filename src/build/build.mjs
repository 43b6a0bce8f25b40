/*
 * Builds dist/, step by step, and of the steps only those whose inputs have changed since: each leaves in dist/.built/ what
 * it was made from (stamps.mjs). They run side by side, but for those `after` another. `npm run build -- cli` runs that step alone,
 * `npm run build -- --all` builds everything anew; `--types`, `--lint`, `--tests`, `--notebooks` and `--docs` run that further step too.
 * Beside tests, what the others print stands after theirs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { bundles } from './lib-bundles.mjs'
import { filesBelow, forget, isBuilt, remember } from './stamps.mjs'

const danfo = 'src/frame/danfo'
const libParts = ['codec', ...Object.keys(bundles)].map((name) => `lib-${name}`)
/** `parts` leave what they were made from themselves; of others it is all that is in the folders `of`. */
const steps = {
  commands: { of: ['src/cli/command', 'src/cli/commands.ts'], run: ['src/build/commands.mjs'] },
  danfo: { parts: ['danfo'], run: [`${danfo}/bundle.mjs`, `${danfo}/declarations.mjs`] },
  lib: { parts: libParts, run: ['src/build/lib.mjs'] },
  page: { parts: ['page'], run: ['src/build/page.mjs'] },
  cli: { parts: ['cli'], run: ['src/build/cli.mjs'], after: ['danfo', 'commands'] },
  package: { parts: ['package'], run: ['src/build/package.mjs'], after: ['danfo'] },
  python: { parts: ['python'], run: ['src/build/python-client.mjs'] },
}
const tsc = 'node_modules/typescript/bin/tsc'
const configs = ['vitest.config.ts', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.page.json']
/** What is run only where it is asked for: types and form of everything, and what users get and no test of the sources needs. */
const furtherSteps = {
  declarations: {
    after: ['danfo'],
    of: ['src', 'tsconfig.base.json', 'tsconfig.build.json'],
    run: ['src/build/package-types.mjs'],
  },
  modules: { after: ['package'], parts: ['modules'], run: ['src/build/modules.mjs'] },
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
  tests: {
    after: [...Object.keys(steps), 'declarations'],
    run: ['node_modules/vitest/vitest.mjs run --project=!deep'],
  },
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

async function runStep(name, { of, parts, run, after = [] }) {
  await Promise.all(after.map((one) => begun[one]))
  if (!isWanted(name)) return
  if (parts ? parts.every((one) => isBuilt(one)) : of && isBuilt(name, of)) return
  if (of) forget(name)
  const isHeld = name !== 'tests' && isWanted('tests')
  await Promise.all(run.map((script) => runScript(script, isHeld)))
  if (of) remember(name, filesBelow(of))
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
