import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const made: string[] = []
const forgetters: (() => void)[] = []

let common: { readonly before: string | undefined } | undefined

/** Gives the tests of a file a common folder of their own: what others leave in the system's is none of theirs. */
export function useOwnTemp(): void {
  common = { before: process.env.TMPDIR }
  process.env.TMPDIR = tempDir()
}

/** A directory of its own for a test, removed after the file's tests: see `seed.ts`. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-'))
  made.push(dir)
  return dir
}

/**
 * What is made once for the tests of a file, below a directory of its own. Files may share the modules that they import:
 * what one has made goes with it, and the next makes its own.
 */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  forgetters.push(() => {
    result = undefined
  })
  return () => {
    result ??= make()
    return result
  }
}

export function removeTemp(): void {
  for (const forget of forgetters) forget()
  if (common?.before !== undefined) process.env.TMPDIR = common.before
  else if (common) delete process.env.TMPDIR
  common = undefined
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
}

/** Writes a file into a directory of its own and gives its path. */
export function tempFile(name: string, content: string | Uint8Array): string {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  return path
}

/** A directory with some files whose imports find the package, as a user has it, and the types of Node. */
export function tempProject(files: Readonly<Record<string, string>> = {}): string {
  const dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(process.cwd(), join(dir, 'node_modules/quotebook'))
  symlinkSync(join(process.cwd(), 'node_modules/@types'), join(dir, 'node_modules/@types'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  return dir
}

/** Every file below a directory with the sha256 of its bytes. */
export function treeOf(dir: string): Record<string, string> {
  if (!existsSync(dir)) return {}
  const files = readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)))
  const plain = files.filter((path) => statSync(path).isFile()).sort()
  return Object.fromEntries(
    plain.map((path) => [relative(dir, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}
