/*
 * Builds dist/, step by step, and of the steps only those whose inputs have changed since: each leaves the sha256 of what it
 * was made from in dist/.built/. They run side by side, but for those `after` another. `npm run build -- --all` builds everything anew;
 * beside it `--types` and `--lint` check the types and the form of everything, tests too, and `--notebooks` installs the kernel
 * of the notebooks.
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
  page: { of: [page, 'src/contract'], run: ['src/build/page.mjs'] },
  cli: { of: ['src'], run: ['src/build/cli.mjs'], after: 'danfo' },
  package: { after: 'danfo', of: ['src', 'tsconfig.base.json', 'tsconfig.build.json'], run: ['src/build/package.mjs'] },
}
const tsc = 'node_modules/typescript/bin/tsc'
const sources = ['src', 'test', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.page.json']
const furtherSteps = {
  types: {
    after: 'danfo',
    of: sources,
    run: [`${tsc} -p tsconfig.json`, `${tsc} -p tsconfig.page.json`],
    isParallel: true,
  },
  // These look themselves whether anything is to be done.
  lint: { run: ['node_modules/@biomejs/biome/bin/biome check .'] },
  notebooks: { run: ['notebooks/install.mjs'] },
}
for (const [name, step] of Object.entries(furtherSteps)) if (process.argv.includes(`--${name}`)) steps[name] = step

const isFile = (path) => statSync(path).isFile()
const filesIn = (path) =>
  isFile(path)
    ? [path]
    : readdirSync(path, { recursive: true })
        .map((name) => join(path, name))
        .filter(isFile)

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

const wanted = process.argv.slice(2)
if (wanted.includes('--all')) rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/.built', { recursive: true })
async function runScript(script) {
  const [code] = await once(spawn(process.execPath, script.split(' '), { stdio: 'inherit' }), 'close')
  if (code !== 0) process.exit(1)
}

async function buildStep(name, { of, run, after, isParallel }) {
  await begun[after]
  if (wanted.some((word) => word in steps) && !wanted.includes(name)) return
  const hash = of && hashOf(of)
  if (hash && isBuilt(name, hash)) return
  rmSync(stampOf(name), { force: true })
  if (isParallel) await Promise.all(run.map(runScript))
  else for (const script of run) await runScript(script)
  if (hash) writeFileSync(stampOf(name), hash)
}

const begun = {}
for (const [name, step] of Object.entries(steps)) begun[name] = buildStep(name, step)
await Promise.all(Object.values(begun))
