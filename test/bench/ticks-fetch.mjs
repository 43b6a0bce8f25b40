import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const question = `24 tick files of 14 MB from nginx on loopback into an archive: hashed, proven, synced to the disk and in the manifest;
  against curl --parallel --parallel-max 4, which writes them as they come; seven turns, medians`

const run = promisify(execFile)
const [count, rows, turns] = [24, 1_500_000, 7]

/** Numbers that no codec makes smaller. */
function random() {
  let state = 1
  return Float64Array.from({ length: rows }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const high = state
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return high + state / 2 ** 32
  })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (found) => {
      socket.destroy()
      resolve(found)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

/** nginx over a directory; its address, and what ends it. */
async function serve(dir, own) {
  const port = await freePort()
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path "${own}/${name}";`,
  )
  const config = `daemon off; master_process off; pid "${own}/pid"; error_log stderr crit; events { worker_connections 64; }
http { access_log off; sendfile on; keepalive_requests 1000000; ${temps.join(' ')}
server { listen 127.0.0.1:${port}; root "${dir}"; autoindex on; } }`
  writeFileSync(join(own, 'nginx.conf'), config)
  const server = spawn('nginx', ['-c', join(own, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
  })
  const failed = new Promise((_, reject) => {
    server.on('error', () => reject(new Error('this measure needs nginx: apt-get install nginx-light')))
    server.on('exit', () => reject(new Error('nginx has ended')))
  })
  failed.catch(() => undefined)
  while (!(await Promise.race([accepts(port), failed]))) await new Promise((resolve) => setTimeout(resolve, 10))
  return { url: `http://127.0.0.1:${port}/`, close: () => server.kill() }
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
    const columns = { length: rows, columns: new Map([['m_price', { type: 'float', data: random(), valid: null }]]) }
    const bytes = await toParquet(toTable(columns, { m_price: { kind: 'number', meaning: 'any' } }))
    for (let at = 1; at <= count; at++) {
      writeFileSync(join(dir, `202606${String(at).padStart(2, '0')}_aucde.parquet`), bytes)
    }
    server = await serve(dir, own)
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
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1]
    const what = `${count} files, ${Math.round((bytes.length * count) / 1e6)} MB`
    return [{ what, time: median(times.ours), against: median(times.curl), goal: 1 / 0.7 }]
  } finally {
    server?.close()
    rmSync(own, { recursive: true, force: true })
  }
}
