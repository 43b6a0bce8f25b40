import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AuthType, createClient, type FileStat, type WebDAVClient } from 'webdav'
import { readXmlNames } from '../../../src/service/share/propfind.js'
import { createShares } from '../../../src/service/share/tick-shares.js'
import {
  type Ask,
  basic,
  bytesOf,
  type ShareServer,
  serveShares,
  type Told,
  tell,
  tickArchive,
} from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

const run = promisify(execFile)
const days = ['20260106', '20260105', '20260107']
const size = 700_000
const file = '20260106_aucde.parquet'
const bytes = Buffer.from(bytesOf('20260106', size))
const sha256 = createHash('sha256').update(bytes).digest('hex')
const python = '/usr/bin/python3'

let server: ShareServer
let url: string
let path: string
let password: string

beforeAll(async () => {
  const archive = await tickArchive(tempDir(), days, size)
  const shares = createShares(archive, { secret: Buffer.alloc(32, 3), patience: 30_000 })
  server = await serveShares(shares)
  const { data } = await shares.offer({ name: 'alice', plan: 'flagship' }, 2026, server.base)
  url = String(data?.url)
  path = new URL(url).pathname
  password = String(data?.password)
})
afterAll(() => server.close())

function ask(more: Partial<Ask>): Promise<Told> {
  return tell({ port: server.port, path, ...more, headers: { ...basic(password), ...more.headers } })
}

async function curl(...args: string[]): Promise<string> {
  return (await run('curl', ['-sS', '-u', `x:${password}`, ...args], { encoding: 'latin1', maxBuffer: 2 ** 24 })).stdout
}

describe('the npm client webdav', () => {
  let client: WebDAVClient
  beforeAll(() => {
    client = createClient(url, { authType: AuthType.Password, username: 'any', password })
  })

  test('lists the folder by date', async () => {
    const list = (await client.getDirectoryContents('/')) as FileStat[]
    const about = list.map(({ basename, size, type, etag, mime }) => ({ basename, size, type, etag, mime }))
    const expected = ['20260105', '20260106', '20260107'].map((day) => ({
      basename: `${day}_aucde.parquet`,
      size,
      type: 'file',
      etag: createHash('sha256').update(bytesOf(day, size)).digest('hex'),
      mime: 'application/vnd.apache.parquet',
    }))
    expect(about).toEqual(expected)
  })

  test('downloads a file, and a part of it', async () => {
    expect(bytes.equals((await client.getFileContents(`/${file}`)) as Buffer)).toBe(true)
    const pieces: Buffer[] = []
    const stream = client.createReadStream(`/${file}`, { range: { start: 1000, end: 300_000 } })
    for await (const piece of stream as unknown as AsyncIterable<Buffer>) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes.subarray(1000, 300_001))).toBe(true)
  })

  test('knows what is there, and can write nothing', async () => {
    expect(await client.exists(`/${file}`)).toBe(true)
    expect(await client.exists('/20260108_aucde.parquet')).toBe(false)
    expect(((await client.stat(`/${file}`)) as FileStat).size).toBe(size)
    expect((await client.getDAVCompliance('/')).compliance).toEqual(['1'])
    await expect(client.putFileContents('/new.parquet', 'x')).rejects.toMatchObject({ status: 405 })
    await expect(client.deleteFile(`/${file}`)).rejects.toMatchObject({ status: 405 })
    await expect(client.createDirectory('/folder')).rejects.toMatchObject({ status: 405 })
    await expect(client.moveFile(`/${file}`, '/other')).rejects.toMatchObject({ status: 405 })
  })

  test('is refused with another password', async () => {
    const other = createClient(url, { authType: AuthType.Password, username: 'any', password: `${password}x` })
    await expect(other.getDirectoryContents('/')).rejects.toMatchObject({ status: 401 })
  })
})

describe('curl', () => {
  test('downloads a file, ranges of it, and the rest of one that was cut', async () => {
    const out = join(tempDir(), file)
    await curl('-f', '-o', out, url + file)
    expect(bytes.equals(readFileSync(out))).toBe(true)
    expect(Buffer.from(await curl('-r', '10-19', url + file), 'latin1').equals(bytes.subarray(10, 20))).toBe(true)
    expect(Buffer.from(await curl('-r', '-5', url + file), 'latin1').equals(bytes.subarray(-5))).toBe(true)
    expect(Buffer.from(await curl('-r', '0-9,10-19', url + file), 'latin1').equals(bytes.subarray(0, 20))).toBe(true)
    expect(Buffer.from(await curl('-r', '0-9,90-99', url + file), 'latin1').equals(bytes)).toBe(true)
    truncateSync(out, 123_456)
    await curl('-f', '-C', '-', '-o', out, url + file)
    expect(bytes.equals(readFileSync(out))).toBe(true)
  })

  test('downloads nothing twice', async () => {
    const [out, etag] = [join(tempDir(), file), join(tempDir(), 'etag')]
    await curl('-f', '--etag-save', etag, '-o', out, url + file)
    expect(readFileSync(etag, 'utf8').trim()).toBe(`"${sha256}"`)
    writeFileSync(out, '')
    const code = await curl('-w', '%{http_code}', '--etag-compare', etag, '-o', out, url + file)
    expect(code).toBe('304')
  })

  test('cannot walk out', async () => {
    for (const trick of ['../', '..%2f', '%2e%2e/', '..%5c', './/', '..;/', '.%00/']) {
      const out = join(tempDir(), 'out')
      const code = await curl('--path-as-is', '-w', '%{http_code}', '-o', out, `${url}${trick}manifest.json`)
      expect(['400', '404']).toContain(code)
      if (existsSync(out)) expect(readFileSync(out, 'utf8')).toBe('There is no such file in this share.\n')
    }
  })
})

test("Python's http.client lists and downloads", async () => {
  const script = `
import base64, hashlib, http.client, json, sys, xml.etree.ElementTree as tree
port, path, password, name = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
login = {'Authorization': 'Basic ' + base64.b64encode(('u:' + password).encode()).decode()}
wire = http.client.HTTPConnection('127.0.0.1', port)
def ask(method, path, headers={}):
    wire.request(method, path, headers={**login, **headers})
    answer = wire.getresponse()
    return answer.status, answer.headers, answer.read()
status, _, body = ask('PROPFIND', path, {'Depth': '1'})
found = [e.text for e in tree.fromstring(body).iter('{DAV:}href')]
sizes = [int(e.text) for e in tree.fromstring(body).iter('{DAV:}getcontentlength')]
_, headers, whole = ask('GET', path + name)
part_status, part_headers, part = ask('GET', path + name, {'Range': 'bytes=5-9', 'If-Range': headers['ETag']})
head_status, head_headers, head = ask('HEAD', path + name)
print(json.dumps([status, found, sizes, hashlib.sha256(whole).hexdigest(), part_status, part_headers['Content-Range'],
  part == whole[5:10], head_status, head_headers['Content-Length'], len(head)]))
`
  const { stdout } = await run(python, ['-c', script, String(server.port), path, password, file])
  const names = ['', '20260105_aucde.parquet', file, '20260107_aucde.parquet'].map((name) => path + name)
  const sizes = [size, size, size]
  const range = `bytes 5-9/${size}`
  expect(JSON.parse(stdout)).toEqual([207, names, sizes, sha256, 206, range, true, 200, String(size), 0])
})

test('the index page has the form of nginx, for whoever reads those', async () => {
  const { status, headers, body } = await ask({})
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  const page = body.toString()
  expect(page).toContain('<title>Index of /2026/</title>')
  // What nginx 1.22 writes, as its readers take it apart.
  const lines = [...page.matchAll(/<a href="([^"]+)">([^<]+)<\/a>\s+(\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d)\s+(\d+|-)$/gm)]
  expect(lines.map(([, href, text, , length]) => [href, text, length])).toEqual(
    ['20260105', '20260106', '20260107'].map((day) => [`${day}_aucde.parquet`, `${day}_aucde.parquet`, String(size)]),
  )
  const headed = await ask({ method: 'HEAD' })
  expect(headed.headers['content-length']).toBe(String(body.length))
  expect(headed.body).toHaveLength(0)
})

test('without its slash the folder is found too', async () => {
  const bare = await ask({ path: path.slice(0, -1) })
  expect(bare.status).toBe(301)
  expect(new URL(String(bare.headers.location), url.slice(0, -1)).href).toBe(url)
  const { status, body } = await ask({ path: path.slice(0, -1), method: 'PROPFIND', headers: { depth: '0' } })
  expect(status).toBe(207)
  expect(body.toString()).toContain(`<D:href>${path}</D:href>`)
})

test('a file answers with its validators, the same on every path to it', async () => {
  const { status, headers } = await ask({ path: path + file, method: 'HEAD' })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'content-type': 'application/vnd.apache.parquet',
    'content-length': String(size),
  })
  const props = (await ask({ path: path + file, method: 'PROPFIND', headers: { depth: '0' } })).body.toString()
  expect(props).toContain(`<D:getlastmodified>${headers['last-modified']}</D:getlastmodified>`)
  expect(props).toContain(`<D:getetag>&quot;${sha256}&quot;</D:getetag>`)
  const coded = await ask({ path: path + file.replace('2', '%32'), headers: { range: 'bytes=0-3' } })
  expect([coded.status, coded.body.equals(bytes.subarray(0, 4))]).toEqual([206, true])
})

test('conditions', async () => {
  const of = async (headers: Record<string, string>): Promise<[number, number]> => {
    const { status, body } = await ask({ path: path + file, headers })
    return [status, body.length]
  }
  const modified = String((await ask({ path: path + file, method: 'HEAD' })).headers['last-modified'])
  expect(await of({ 'if-none-match': `"${sha256}"` })).toEqual([304, 0])
  expect(await of({ 'if-none-match': '"other"' })).toEqual([200, size])
  expect(await of({ 'if-modified-since': modified })).toEqual([304, 0])
  expect(await of({ range: 'bytes=0-9', 'if-range': `"${sha256}"` })).toEqual([206, 10])
  expect(await of({ range: 'bytes=0-9', 'if-range': '"changed"' })).toEqual([200, size])
  expect((await of({ 'if-match': '"changed"' }))[0]).toBe(412)
  const beyond = await ask({ path: path + file, headers: { range: `bytes=${size}-` } })
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
})

describe('PROPFIND', () => {
  const propfind = (headers: Record<string, string>, body = '', at = path): Promise<Told> =>
    ask({ path: at, method: 'PROPFIND', headers, body })

  test('of depth 0 and 1 only', async () => {
    expect((await propfind({ depth: '0' })).body.toString().match(/<D:response>/g)).toHaveLength(1)
    expect((await propfind({ depth: '1' })).body.toString().match(/<D:response>/g)).toHaveLength(4)
    expect((await propfind({ depth: '1' }, '', path + file)).body.toString().match(/<D:response>/g)).toHaveLength(1)
    for (const headers of [{}, { depth: 'infinity' }, { depth: 'Infinity' }] as Record<string, string>[]) {
      const { status, body } = await propfind(headers)
      expect(status).toBe(403)
      expect(readXmlNames(body.toString())).toMatchObject({
        name: 'error',
        inside: [{ name: 'propfind-finite-depth' }],
      })
    }
    expect((await propfind({ depth: '2' })).status).toBe(400)
  })

  test('of some properties', async () => {
    const body = '<propfind xmlns="DAV:"><prop><getcontentlength/><lockdiscovery/></prop></propfind>'
    const { status, body: answer } = await propfind({ depth: '0' }, body, path + file)
    expect(status).toBe(207)
    expect(answer.toString()).toContain(`<D:getcontentlength>${size}</D:getcontentlength>`)
    expect(answer.toString()).toMatch(/<D:lockdiscovery\/><\/D:prop><D:status>HTTP\/1\.1 404/)
  })

  test('with a body that is malformed or too long', async () => {
    expect((await propfind({ depth: '1' }, '<propfind')).status).toBe(400)
    expect((await propfind({ depth: '1' }, ' '.repeat(8193))).status).toBe(413)
    expect((await propfind({ depth: '1' }, '', `${path}20260108_aucde.parquet`)).status).toBe(404)
  })
})

test('OPTIONS says what there is, every other method is refused', async () => {
  const { status, headers } = await ask({ method: 'OPTIONS' })
  expect([status, headers.dav, headers.allow]).toEqual([200, '1', 'OPTIONS, PROPFIND, GET, HEAD'])
  const methods = ['POST', 'PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'PROPPATCH', 'REPORT', 'PATCH']
  for (const method of methods) {
    for (const at of [path, path + file]) {
      const told = await ask({ path: at, method, body: 'x' })
      expect([method, told.status, told.headers.allow]).toEqual([method, 405, 'OPTIONS, PROPFIND, GET, HEAD'])
    }
  }
})

test('nothing is shown without the password', async () => {
  const tries = ['', 'Basic', 'Basic !', 'Bearer x', basic('').authorization, basic('x').authorization]
  tries.push(basic(password.slice(0, -1)).authorization, basic(`${password} `).authorization, `Basic ${password}`)
  for (const authorization of tries) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      const told = await ask({ path: path + file, method, headers: { authorization, depth: '1' } })
      expect(told.status).toBe(401)
      expect(told.headers['www-authenticate']).toBe('Basic realm="Quotebook share", charset="UTF-8"')
      expect(told.body.toString()).not.toContain(password)
    }
  }
  const named = await ask({ headers: basic(password, 'any user: no') })
  expect(named.status).toBe(401)
  expect((await ask({ headers: basic(password, '') })).status).toBe(200)
})
