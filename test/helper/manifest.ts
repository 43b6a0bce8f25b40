import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestText } from '../../src/data/archive/manifest.js'
import type { Manifest } from '../../src/data/archive/manifest-entries.js'

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

/** Writes another manifest into an archive, with the checksum that belongs to it. */
export function editManifest(dir: string, edit: (manifest: Writable<Manifest>) => void): void {
  const path = join(dir, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  edit(manifest)
  writeFileSync(path, manifestText(manifest))
}
