/* Deep: needs nginx, and restarts services behind it. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { asking, keyFile, question, send, until, withWorkers } from '../../helper/many.js'
import { endAll, type Served, served } from '../../helper/served.js'
import { freePort, has, startServer } from '../../helper/server-process.js'
import { tempFile } from '../../helper/temp.js'

afterAll(endAll)

/** The proxy of the page, before services of this machine and without TLS. */
function config(services: readonly Served[]): (port: number, own: string) => string {
  const [, block = ''] = /^```nginx\n([\s\S]*?)^```/m.exec(readFileSync('docs/guide/deployment.md', 'utf8')) ?? []
  return (port, own) => {
    const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path "${own}/${name}";`,
    )
    const here = block
      .replace('server a:8000', `server 127.0.0.1:${services[0]?.port}`)
      .replace('server b:8000', `server 127.0.0.1:${services[1]?.port}`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace(/ *ssl_certificate.*\n/g, '')
      .replace('http {', `http {\naccess_log off;\n${temps.join('\n')}`)
    return `daemon off;\nmaster_process off;\npid "${own}/pid";\nerror_log "${own}/said" crit;\n${here}`
  }
}

test.skipIf(!has('nginx'))('behind the proxy of the page services are restarted, and no request fails', async () => {
  const words = ['--keys', keyFile({ name: 'ada' }), '--link-secret', tempFile('link', 's'.repeat(64)), '--no-log']
  const url = ['--url', 'http://127.0.0.1']
  const start = async (port: number) =>
    withWorkers(await served('--port', String(port), '--workers', '2', ...words, ...url))
  const services = [await start(await freePort()), await start(await freePort())]
  const args = (path: string): string[] => ['-c', path, '-e', 'stderr']
  const proxy = await startServer({ binary: 'nginx', config: config(services), args }, {})
  const clients = asking(`${proxy.url}api`, 8, question('ada'))
  const more = async (): Promise<void> => {
    const before = clients.count()
    await until(() => clients.count() > before + 100)
  }
  await more()
  for (const [at, old] of services.entries()) {
    old.child.kill('SIGTERM')
    expect(await old.ended).toEqual([0, null])
    await more()
    const fresh = await start(old.port)
    services[at] = fresh
    // The proxy leaves alone for a while who did not answer.
    await until(async () => /requests_total\{route="api"/.test((await send(`${fresh.url}/metrics`)).text))
  }
  const replies = await clients.end()
  const wrong = replies.flatMap((reply) =>
    reply instanceof Error ? reply.message : reply.status === 200 ? [] : reply.status,
  )
  expect(wrong).toEqual([])
  expect(replies.length).toBeGreaterThan(500)
  expect((await send(`${proxy.url}metrics`)).status).toBe(403)
  await proxy.stop()
  for (const { child, ended } of services) {
    child.kill('SIGINT')
    await ended
  }
})
