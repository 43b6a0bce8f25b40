import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { rowsOf, type Table } from 'quotebook'
import { afterAll } from 'vitest'

/** The archive that comes with the package. */
export const sampleDir = join(process.cwd(), 'data/sample')

const made: string[] = []

/** Removes the folders of a file's tests when these are over. */
export function removeFolders(): void {
  afterAll(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
  })
}

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-promise-'))
  made.push(dir)
  return dir
}

/** A path below a folder of its own, where nothing is yet. */
export const newPlace = (name = 'archive'): string => join(folder(), name)

export function file(name: string, content: string | Uint8Array): string {
  const path = newPlace(name)
  writeFileSync(path, content)
  return path
}

export function sampleCopy(): string {
  const dir = newPlace()
  cpSync(sampleDir, dir, { recursive: true })
  return dir
}

/** Every file below a directory with the sha256 of its bytes. */
export function bytesBelow(dir: string): Record<string, string> {
  const names = existsSync(dir) ? readdirSync(dir, { recursive: true }).map(String).sort() : []
  const files = names.map((name) => join(dir, name)).filter((path) => statSync(path).isFile())
  const sum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(files.map((path) => [relative(dir, path), sum(path)]))
}

/** The rows of a table as plain objects. */
export function objects(table: Table): Record<string, unknown>[] {
  const names = table.schema.fields.map(({ name }) => String(name))
  return rowsOf(table).map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
}

export interface Failure {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly suggestion?: string
  readonly line?: number
}

/** The error that an action ends with. */
export async function failure(action: Promise<unknown> | (() => Promise<unknown>)): Promise<Failure> {
  try {
    await (typeof action === 'function' ? action() : action)
  } catch (error) {
    return error as Failure
  }
  throw new Error('it did not fail')
}
