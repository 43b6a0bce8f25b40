import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { serve, turns, withArchive } from './service.mjs'
import { testServer } from './test-server.mjs'

export const question = `the service over an archive in ClickHouse against the same archive in a directory, both warm, log on, 16 connections of wrk;
  seven turns of 2 s, medians`

export async function measure({ dist, load }) {
  const engine = await (await testServer('clickhouse-server')).startClickHouse()
  try {
    return await withArchive(load, async ({ archive, opened, asked: [same, point, , wide] }) => {
      const address = engine.nodes[0].address('bench')
      execFileSync(process.execPath, [
        join(dist, '../cli/quotebook.cjs'),
        'copy',
        '--source',
        archive,
        '--archive',
        address,
      ])
      const servers = { stored: await opened(serve(dist, address)), plain: await opened(serve(dist, archive)) }
      const out = []
      for (const { name, file } of [same, point, wide]) {
        const { stored, plain } = await turns(servers, file, 16)
        out.push({
          what: `${name}, a request`,
          time: 1e6 / stored.rate,
          against: 1e6 / plain.rate,
          goal: 1.5,
          unit: 'µs',
        })
      }
      return out
    })
  } finally {
    await engine.stop()
  }
}
