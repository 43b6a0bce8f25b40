import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The HTTP interface of ClickHouse over chdb, the engine of a newer version as a library: one statement after the other. */
const [packages, dir] = process.argv.slice(2)
const { Session } = createRequire(join(packages, 'x.js'))('chdb')
const session = new Session(join(dir, 'data'))
/** What the driver sends beside settings. */
const others = ['query', 'database', 'query_id', 'enable_http_compression', 'send_progress_in_http_headers']
let files = 0

async function answer(sql, body) {
  if (!body) return (await session.queryAsync(sql, { format: 'TSV' })).bytes()
  const [, into, format] = /^\s*(insert into .*?)\s+format\s+(\w+)\s*$/is.exec(sql)
  const file = join(dir, `rows-${++files}`)
  writeFileSync(file, body)
  await session.queryAsync(`${into} select * from file('${file}', ${format})`)
  rmSync(file)
  return ''
}

async function run(params, body) {
  const given = params.get('query')
  const settings = [...params].filter(([name]) => !others.includes(name))
  session.query(`use \`${params.get('database') ?? 'default'}\``)
  for (const [name, value] of settings) session.query(`set ${name} = ${Number.isNaN(+value) ? `'${value}'` : value}`)
  try {
    return await answer(given ?? body.toString(), given === null ? undefined : body)
  } finally {
    for (const [name] of settings) session.query(`set ${name} = default`)
  }
}

let last = Promise.resolve()
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const { searchParams } = new URL(request.url, 'http://127.0.0.1')
  last = last
    .then(() => run(searchParams, body))
    .then(
      (bytes) => response.end(bytes),
      (error) => response.writeHead(500).end(error.message.replace(/^.*?(?=Code: )/s, '')),
    )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
