import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, random } from './interleave.mjs'
import { testServer } from './test-server.mjs'

export const question = `24 tick files of 14 MB from nginx on loopback into an archive: hashed, proven, synced to the disk and in the manifest;
  against curl --parallel --parallel-max 4, which writes them as they come; seven turns, medians`

const run = promisify(execFile)
const [count, rows, turns] = [24, 1_500_000, 7]

/** Numbers that no codec makes smaller. */
function noise() {
  const next = random()
  return Float64Array.from({ length: rows }, () => next() * 2 ** 32 + next())
}

export async function measure({ load, toTable }) {
  const { fetchIntoArchive } = await load('data/ticks/fetch/fetch-into-archive.js')
  const { openShare } = await load('data/ticks/share/open-share.js')
  const { writeParquet: toParquet } = await load('frame/table/parquet.js')
  const own = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const [dir, dest] = [join(own, 'served'), join(own, 'dest')]
  let server
  try {
    chmodSync(own, 0o755)
    mkdirSync(dir)
    const columns = { length: rows, columns: new Map([['m_price', { type: 'float', data: noise(), valid: null }]]) }
    const bytes = await toParquet(toTable(columns, { m_price: { kind: 'number', meaning: 'any' } }))
    for (let at = 1; at <= count; at++) {
      writeFileSync(join(dir, `202606${String(at).padStart(2, '0')}_aucde.parquet`), bytes)
    }
    server = await (await testServer('nginx')).nginx(dir)
    const { url } = server
    const urls = readdirSync(dir).flatMap((name) => ['-o', join(dest, name), url + name])
    const variants = {
      async ours() {
        const share = openShare(url)
        const { fetched } = await fetchIntoArchive({ share: async () => share, dir: dest, year: 2026, parallel: 4 })
        await share.close()
        if (fetched !== count) throw new Error(`${fetched} of ${count} files came`)
      },
      async curl() {
        await run('curl', ['--silent', '--parallel', '--parallel-max', '4', ...urls])
      },
    }
    const times = { ours: [], curl: [] }
    for (let turn = -2; turn < turns; turn++) {
      for (const name of turn % 2 ? ['ours', 'curl'] : ['curl', 'ours']) {
        // Removing what came before is not measured.
        rmSync(dest, { recursive: true, force: true })
        mkdirSync(dest)
        const begin = performance.now()
        await variants[name]()
        if (turn >= 0) times[name].push(performance.now() - begin)
      }
    }
    const what = `${count} files, ${Math.round((bytes.length * count) / 1e6)} MB`
    return [{ what, time: median(times.ours), against: median(times.curl), goal: 4 }]
  } finally {
    await server?.stop()
    rmSync(own, { recursive: true, force: true })
  }
}
