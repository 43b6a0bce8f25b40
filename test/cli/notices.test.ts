import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { countedLines } from '../../src/cli/counted-lines.js'
import { messageFor, type Notify, notifier } from '../../src/cli/notify.js'
import { listen } from '../helper/listen.js'

const notice = { event: 'late', at: '2026-07-29T15:31:00+08:00', archive: '/srv/q', text: 'not there yet: theme_daily' }
const line = 'Quotebook /srv/q: not there yet: theme_daily'

test.each([
  ['qyapi.weixin.qq.com', { msgtype: 'text', text: { content: line } }],
  ['oapi.dingtalk.com', { msgtype: 'text', text: { content: line } }],
  ['open.feishu.cn', { msg_type: 'text', content: { text: line } }],
  ['open.larksuite.com', { msg_type: 'text', content: { text: line } }],
  ['feishu.cn.example.com', notice],
  ['hooks.example.com', notice],
])('%s gets the form that it takes', (host, body) => {
  expect(messageFor(host, notice)).toEqual(body)
})

test('a chat gets no more than it takes, and no half of a character', () => {
  const { content } = (
    messageFor('oapi.dingtalk.com', { ...notice, text: '迟'.repeat(3000) }) as { text: { content: string } }
  ).text
  expect([Buffer.byteLength(content) <= 2048, content.includes('�')]).toEqual([true, false])
})

/** What is written to stderr during some work. */
async function heard(work: () => Promise<void>): Promise<string> {
  const write = process.stderr.write
  let said = ''
  process.stderr.write = ((text: string) => {
    said += text
    return true
  }) as never
  await work().finally(() => {
    process.stderr.write = write
  })
  return said
}

/** What an address is sent, and what is written to stderr meanwhile. */
async function told(status: number, body: string, action: (notify: Notify) => void) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    bodies.push(`${request.method} ${request.url} ${text}`)
    response.writeHead(status, { location: '/elsewhere' }).end(body)
  })
  const { url, close } = await listen(server)
  const said = await heard(async () => {
    const { notify, end } = notifier(`${url}/hook?key=SECRET`, '/srv/q')
    action(notify)
    await end()
  }).finally(close)
  return { bodies, said }
}

test('one line of JSON by POST; the same of one day once, an order file once', async () => {
  const { bodies, said } = await told(200, '{"errcode":0}', (notify) => {
    for (let i = 0; i < 3; i++) notify('late', 'x')
    notify('order', 'x')
  })
  expect(said).toBe('')
  expect(bodies.map((text) => text.replace(/"at":"[^"]*"/, '"at":""')).sort()).toEqual([
    'POST /hook?key=SECRET {"event":"late","at":"","archive":"/srv/q","text":"x"}\n',
    'POST /hook?key=SECRET {"event":"order","at":"","archive":"/srv/q","text":"x"}\n',
  ])
})

test.each([
  [404, '', 'HTTP 404'],
  [302, '', 'HTTP 302'],
  [200, '{"errcode":310000,"errmsg":"keywords not in content SECRET"}', 'code 310000'],
  [200, '{"code":19024,"msg":"Key Words Not Found"}', 'code 19024'],
])('a refusal with %i %s is one line without the address', async (status, body, why) => {
  const { bodies, said } = await told(status, body, (notify) => notify('stopped', 'x'))
  expect([bodies.length, said]).toEqual([1, `the address of --notify was not told: ${why}\n`])
})

test('an address that nobody answers at is named nowhere, and neither is one that is none', async () => {
  const said = await heard(async () => {
    const { notify, end } = notifier('http://secret.invalid/SECRET', '/srv/q')
    notify('stopped', 'x')
    await end()
  })
  expect(said).toMatch(/^the address of --notify was not told: .*\n$/)
  expect(said).not.toMatch(/secret/i)
  for (const wrong of ['SECRET', 'ftp://SECRET', 'https://user:SECRET@host/'])
    expect(() => notifier(wrong, 'x')).toThrow(/^--notify takes an address of http or https, without/)
})

test('the same fault 830 times in a minute is two lines, one with the count; another is told by itself', async () => {
  const lines: string[] = []
  const over = new AbortController()
  let ring: (() => void)[] = []
  const clock = { now: () => 0, chance: () => 0, sleep: () => new Promise<void>((resolve) => ring.push(resolve)) }
  const tell = countedLines(over.signal, (text) => lines.push(text), clock)
  for (let i = 0; i < 830; i++) tell('fault: x')
  tell('fault: y')
  for (const one of ring.splice(0)) one()
  await new Promise(setImmediate)
  expect(lines).toEqual(['fault: x', 'fault: y', 'fault: x (830 times in 1 minute)'])
  tell('fault: x')
  expect(lines.at(-1)).toBe('fault: x')
  ring = []
})
