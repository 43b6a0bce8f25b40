import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A file of a tar archive: header of 512 bytes, content padded to 512. */
function entry(name: string, content: Uint8Array, mode: number): Buffer {
  const header = Buffer.alloc(512)
  const cut = name.length > 100 ? name.indexOf('/', name.length - 101) : -1
  header.write(cut < 0 ? name : name.slice(cut + 1), 0, 100)
  header.write(cut < 0 ? '' : name.slice(0, cut), 345, 155)
  header.write(`000${(mode & 0o777).toString(8)}\0 0000000\0 0000000\0 `.slice(0, 24), 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0        0', 136)
  header.write('ustar\x0000', 257)
  header.write(
    `${[...header]
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, content, Buffer.alloc(-content.length & 511)])
}

/** An installed package as the tarball of a registry. */
function tarball(dir: string): Buffer {
  const files = readdirSync(dir, { recursive: true })
    .map((name) => join(dir, String(name)))
    .filter((path) => !relative(dir, path).split('/').includes('node_modules') && statSync(path).isFile())
    .sort()
  const entries = files.map((path) => entry(`package/${relative(dir, path)}`, readFileSync(path), statSync(path).mode))
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]), { level: 1 })
}

interface Locked {
  readonly version: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

/** What a research folder names beside the package itself. */
const tools = /^(typescript|@types\/node|undici-types|@duckdb\/.*|detect-libc)$/

/** Installed packages by name: those that are for use, what research folders name, and what notebooks install. */
function installedPackages(): ReadonlyMap<string, readonly string[]> {
  const dirs = new Map<string, string[]>()
  for (const home of ['.', 'notebooks']) {
    const locked: Record<string, Locked> = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')).packages
    for (const [dir, { dev, devOptional, link }] of Object.entries(locked)) {
      const name = dir.slice(dir.lastIndexOf('node_modules/') + 13)
      const isLeftOut = !dir.includes('node_modules/') || link || ((dev || devOptional) && !tools.test(name))
      if (isLeftOut || !existsSync(join(home, dir))) continue
      dirs.set(name, [...(dirs.get(name) ?? []), join(home, dir)])
    }
  }
  return dirs
}

/**
 * A registry on this machine that has what package-lock.json names for use, taken from node_modules, and what research
 * folders and notebooks name, and nothing else: an install from it needs no network and proves that the declared
 * dependencies are enough.
 */
export async function localRegistry(): Promise<{ url: string; asked: Set<string>; close: () => void }> {
  const dirs = installedPackages()
  const tarballs = new Map<string, Buffer>()
  const asked = new Set<string>()
  let url = ''
  const packument = (name: string, folders: readonly string[]) => {
    const versions = folders.map((dir) => {
      const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
      const path = `/${name}/-/${manifest.version}.tgz`
      const bytes = tarballs.get(path) ?? tarball(dir)
      tarballs.set(path, bytes)
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      return [manifest.version, { ...manifest, dist: { tarball: `${url}${path}`, integrity } }] as const
    })
    return { name, 'dist-tags': { latest: versions[0]?.[0] }, versions: Object.fromEntries(versions) }
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.add(path)
    const folders = dirs.get(path.slice(1))
    const bytes = tarballs.get(path) ?? (folders && Buffer.from(JSON.stringify(packument(path.slice(1), folders))))
    response.writeHead(bytes ? 200 : 404, { 'content-type': folders ? 'application/json' : 'application/octet-stream' })
    response.end(bytes ?? '{}')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, close: () => server.close() }
}
