import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { inTurn, interleaveCpu } from './cpu-turns.mjs'
import { serve } from './service.mjs'

export const question = `sync into a new archive, against a bare undici loop that parses the replies to the same requests: CPU time, at most
  four requests at once, the service in another process`
const atOnce = 4

const cases = [
  { dataset: 'etf_minute', days: 60, goal: 7.5 },
  { dataset: 'hotstock', days: 60, goal: 15 },
]

function bareLoop(url, agent, bodies) {
  return async () => {
    let rows = 0
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
    await inTurn(atOnce, bodies, async (body) => {
      const answer = await request(`${url}/api`, { method: 'POST', headers, body, dispatcher: agent })
      const { code, data } = await answer.body.json()
      if (answer.statusCode !== 200 || code !== 200) throw new Error('the service refused')
      rows += data.items.length
    })
    return rows
  }
}

/** One sync after another, each into a folder of its own. `sent` takes the bodies of what is asked. */
function syncs(connect, url, dir, { dataset, from }, sent) {
  let count = 0
  return async () => {
    const onRequest = ({ dataset: apiname, params }) => sent.add(JSON.stringify({ apikey: 'bench', apiname, params }))
    const market = await connect({ nodes: [url], apikey: 'bench', pace: { concurrent: atOnce }, onRequest })
    const archive = join(dir, `${dataset}-${count++}`)
    try {
      const { ok, rows } = await market.sync({ archive, datasets: [dataset], from })
      if (!ok) throw new Error(`${dataset} did not come`)
      return rows
    } finally {
      await market.close()
      rmSync(archive, { recursive: true, force: true })
    }
  }
}

export async function measure({ connect, dist, load }) {
  const { daysBetween } = await load('contract/day-list.js')
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const source = join(dir, 'source')
  const agent = new Agent({ connections: atOnce })
  const results = []
  let server
  try {
    execFileSync(process.execPath, [join(dist, '../cli/quotebook.cjs'), 'sample', '--archive', source], {
      stdio: 'ignore',
    })
    server = await serve(dist, source)
    const url = `http://127.0.0.1:${server.said.port}`
    for (const { dataset, days, goal } of cases) {
      const from = daysBetween('20200101', '20260729').at(-days)
      const sent = new Set()
      const own = syncs(connect, url, dir, { dataset, from }, sent)
      const found = await own()
      const bodies = [...sent]
      if ((await bareLoop(url, agent, bodies)()) < found) throw new Error('the loop found fewer rows')
      const times = await interleaveCpu({ own, bare: bareLoop(url, agent, bodies) })
      results.push({ what: `${dataset}, ${bodies.length} requests`, time: times.own, against: times.bare, goal })
    }
  } finally {
    server?.close()
    await agent.destroy()
    rmSync(dir, { recursive: true, force: true })
  }
  return results
}
