import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, TickEntry } from '../../src/data/archive/manifest-entries.js'
import { sumOf } from './memory-share.js'

/** What the manifest of an archive names of tick files; nothing where there is no archive. */
export function ticksOf(dir: string): readonly TickEntry[] {
  const path = join(dir, 'manifest.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest).ticks : []
}

/**
 * What is wrong in an archive of fetched files: a file under a final name whose bytes are not those of its day, an entry
 * whose file is not there or other than it says.
 * @param known sha256 of every file that a day ever had
 */
export function wrongIn(dir: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const folder = join(dir, 'ticks')
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.part')) : []
  const wrong: string[] = []
  const sums = new Map<string, string>()
  for (const name of names) {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    sums.set(`ticks/${name}`, sum)
    if (!known.get(name.slice(0, 8))?.has(sum)) wrong.push(`${name} holds other bytes`)
  }
  for (const { day, file, sha256 } of ticksOf(dir)) {
    if (sums.get(file) !== sha256) wrong.push(`the manifest names ${file}, which is not there or other`)
    if (!file.startsWith(`ticks/${day}_aucde.`)) wrong.push(`${day} is in ${file}`)
  }
  return wrong
}

export function sumsOf(...versions: readonly ReadonlyMap<string, Uint8Array>[]): Map<string, Set<string>> {
  const sums = new Map<string, Set<string>>()
  for (const files of versions) {
    for (const [day, bytes] of files) sums.set(day, (sums.get(day) ?? new Set()).add(sumOf(bytes)))
  }
  return sums
}

/** Days whose file in an archive is just that of a share. */
export function sameDays(dir: string, files: ReadonlyMap<string, Uint8Array>): string[] {
  return ticksOf(dir).flatMap(({ day, file }) => {
    const bytes = files.get(day)
    return bytes && readFileSync(join(dir, file)).equals(bytes) ? [day] : []
  })
}
