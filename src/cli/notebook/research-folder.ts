import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import root from '#root'
import { messageOf, QuotebookError, worded } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import { sentence } from '../../contract/sentence.js'
import { writeFileAtomically } from '../../data/archive/file-access.js'
import { packageFile, researchFiles } from './research-files.js'

/** What may be in a folder before: what npm and git put there. */
const usual = /^(package(-lock)?\.json|node_modules|\.npmrc|\.git|\.gitignore|\.gitattributes|.*\.tgz)$/

/** A folder for research, as it was created. */
export interface ResearchFolder {
  readonly written: readonly string[]
  /** Files that were there and are as they were. */
  readonly left: readonly string[]
  /** What installs the rest, in the folder. */
  readonly install: string
}

/** @throws QuotebookError USAGE when a folder can not be begun there */
function checkPlace(dir: string): void {
  const stat = statSync(dir, { throwIfNoEntry: false })
  if (stat && !stat.isDirectory()) throw new QuotebookError('USAGE', sentence`${dir} is not a folder`)
  const others = stat ? readdirSync(dir).filter((name) => !usual.test(name)) : []
  if (others.length === 0) return
  const some = `${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`
  throw new QuotebookError('USAGE', sentence`${dir} is not empty: it has ${some}; give a new or empty folder`)
}

/**
 * The tarball without the script that builds the package from its sources: npm would warn of it, though there is nothing to build.
 * Blanks take its place, so that all sizes in it are right.
 */
function withoutPrepare(tarball: Buffer): Buffer {
  const bytes = gunzipSync(tarball)
  const script = /"prepare": "[^"]*",/.exec(readFileSync(join(root, 'package.json'), 'utf8'))?.[0]
  const at = script === undefined ? -1 : bytes.indexOf(script)
  if (script !== undefined && at >= 0) bytes.fill(' ', at, at + Buffer.byteLength(script))
  return gzipSync(bytes)
}

/** The package that runs, as the tarball that npm would publish, into a folder. */
async function packInto(dir: string): Promise<void> {
  const wrong = (cause: unknown): QuotebookError =>
    new QuotebookError('PACKAGE', sentence`npm can not pack quotebook: ${messageOf(cause)}`, { cause })
  const beside = await mkdtemp(join(dir, '.pack-'))
  try {
    const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', beside]
    await new Promise<void>((settle, reject) => {
      // On Windows npm is a script.
      const child = spawn('npm', words, { cwd: root, stdio: 'ignore', shell: sep === '\\' })
      child.on('error', reject)
      child.on('exit', (code) => (code === 0 ? settle() : reject(worded(Error, sentence`exit code ${code}`))))
    })
    const packed = join(beside, packageFile)
    await writeFile(packed, withoutPrepare(await readFile(packed)))
    await rename(packed, join(dir, packageFile))
  } catch (error) {
    throw wrong(error)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

/** What installs a folder whose package.json is not ours. */
function installBeside(dir: string): string {
  const text = readFileSync(join(dir, 'package.json'), 'utf8')
  const kernel = 'npm ci --prefix kernel'
  return /"quotebook"\s*:/.test(text) ? `npm install && ${kernel}` : `npm install ./${packageFile} && ${kernel}`
}

/**
 * Creates a folder for research: notebooks, strategies, and what they need. It keeps the package itself as a tarball, so that
 * it can be installed again on another machine. Files that are there stay as they are.
 * @throws QuotebookError USAGE for a folder with anything in it but what npm and git put there, PACKAGE without npm
 */
export async function createResearchFolder(given: string, language: Language): Promise<ResearchFolder> {
  const dir = resolve(given)
  checkPlace(dir)
  const files = Object.entries(researchFiles(language))
  await mkdir(dir, { recursive: true })
  const isThere = (path: string): boolean => existsSync(join(dir, path))
  const left = files.map(([path]) => path).filter(isThere)
  const install = left.includes('package.json') ? installBeside(dir) : 'npm install'
  const isWanted = !/^npm install &&/.test(install) && !isThere(packageFile)
  if (isWanted) await packInto(dir)
  const missing = files.filter(([path]) => !left.includes(path))
  for (const [path, text] of missing) await writeFileAtomically(join(dir, path), text)
  const written = [...missing.map(([path]) => path), ...(isWanted ? [packageFile] : [])].sort()
  return { written, left, install }
}
