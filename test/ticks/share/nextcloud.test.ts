import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { multistatus } from '../../../src/service/share/folder-listing.js'
import { openShare, parsePublicLink, type ShareLinkOptions } from '../../../src/ticks/share/open-share.js'
import { bytesOf } from '../../helper/share.js'
import { all, failure, impatient, type Scripted, scripted } from './scripted-server.js'

const token = 'aB3dEf9hIj-_x'
const password = 'p:4ss wörd'
const files = ['20260728', '20260729']
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Cloud {
  /** Path of the installation, without a slash at its end. */
  readonly below?: string
  /** The endpoints that it has. */
  readonly has: readonly ('legacy' | 'files' | 'infinite')[]
  readonly password?: string
  /** Sharing with other servers is switched off: only what calls itself its own page is let in. */
  readonly isShut?: boolean
  /** Folder within the share that the files are in. */
  readonly inside?: string
}

function userOf({ headers }: IncomingMessage): readonly [user: string, password: string] | undefined {
  const [, text] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? []
  if (text === undefined) return undefined
  const [, user = '', given = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? []
  return [user, given]
}

/**
 * Public links as Nextcloud and ownCloud document them: `public.php/webdav` takes the token as user, `public.php/dav/files`
 * has it in its path and takes any user, `remote.php/dav/public-files` takes the user `public`.
 */
async function cloud({ below = '', has, password: asked, isShut = false, inside = '' }: Cloud): Promise<Scripted> {
  const made = await scripted((request, response) => {
    const { url: path = '', method } = request
    const say = (status: number): void => void response.writeHead(status).end()
    const given = userOf(request)
    const folders = [
      ...(has.includes('legacy') ? [`${below}/public.php/webdav/`] : []),
      ...(has.includes('files') ? [`${below}/public.php/dav/files/${token}/`] : []),
      ...(has.includes('infinite') ? [`${below}/remote.php/dav/public-files/${token}/`] : []),
    ]
    const folder = folders.find((one) => path.startsWith(one))
    if (folder === undefined)
      return path.startsWith(`${below}/s/`) && method === 'GET' ? void response.end('<form>') : say(404)
    const isLegacy = folder.includes('webdav')
    if (isLegacy && given?.[0] !== token) return say(401)
    if (folder.includes('public-files') && given && given[0] !== 'public') return say(401)
    if (asked !== undefined && given?.[1] !== asked) return say(401)
    if (isShut && (isLegacy || method !== 'GET') && request.headers['x-requested-with'] !== 'XMLHttpRequest')
      return say(401)
    const rest = path.slice(folder.length)
    if (method === 'PROPFIND' && rest === inside) {
      const resources = files.map((day) => ({
        href: `${folder}${inside}${day}_aucde.parquet`,
        name: day,
        modified: 0,
        file: { size: 1000, etag: `"${day}"` },
      }))
      const own = { href: `${folder}${inside}`, name: '', modified: 0, file: undefined }
      return void response.writeHead(207).end(multistatus([own, ...resources], { all: 'values' }))
    }
    const day = files.find((one) => rest === `${inside}${one}_aucde.parquet`)
    if (day === undefined) return say(method === 'PROPFIND' && rest !== '' ? 404 : 405)
    response.writeHead(200, { etag: `"${day}"`, 'content-length': '1000' }).end(bytesOf(day, 1000))
  })
  closers.push(() => made.close())
  return made
}

async function check(link: string, options: ShareLinkOptions): Promise<void> {
  const links = impatient()
  closers.push(() => links.close())
  const first = openShare(link, { ...options, links })
  expect(Buffer.compare(await all(await first.open('20260729')), Buffer.from(bytesOf('20260729', 1000)))).toBe(0)
  const share = openShare(link, { ...options, links })
  expect(share.name).toBe(new URL(link).origin)
  expect((await share.list()).map(({ day, size, etag }) => [day, size, etag])).toEqual(
    files.map((day) => [day, 1000, `"${day}"`]),
  )
}

describe.each<[string, Cloud['has']]>([
  ['ownCloud, and Nextcloud before 29', ['legacy']],
  ['Nextcloud from 29 on', ['legacy', 'files']],
  ['Nextcloud without the old address', ['files']],
  ['ownCloud Infinite Scale', ['infinite']],
])('%s', (_, has) => {
  test.each([undefined, password])('with password %j', async (asked) => {
    for (const below of ['', '/cloud/sub']) {
      const { url, requests } = await cloud({ has, below, ...(asked === undefined ? {} : { password: asked }) })
      for (const link of [`/s/${token}`, `/index.php/s/${token}/`, `/s/${token}/download?x=1#y`]) {
        for (const kind of [undefined, 'nextcloud'] as const) {
          await check(`${url}${below}${link}`, { password: asked, kind, user: 'ignored' })
        }
      }
      expect(requests.every(({ headers }) => headers['x-requested-with'] === 'XMLHttpRequest')).toBe(true)
    }
  })

  test('shut to other servers, and a folder within the share', async () => {
    const { url } = await cloud({ has, password, isShut: true, inside: 'ticks%20%26%20more/2026/' })
    await check(`${url}/s/${token}?path=%2Fticks%20%26%20more%2F2026`, { password })
    await check(`${url}/s/${token}?dir=/ticks%20%26%20more/../2026/&path=/other`, { password })
  })

  test('a wrong password is said once, and no other door tried with it', async () => {
    const { url, requests } = await cloud({ has, password })
    const link = `${url}/s/${token}`
    for (const kind of [undefined, 'nextcloud'] as const) {
      requests.length = 0
      const links = impatient()
      closers.push(() => links.close())
      const error = await failure(openShare(link, { password: 'wr0ng-one', links, kind }).list(), [token, 'wr0ng-one'])
      expect(error).toMatchObject({ code: 'FILE', status: 401 })
      expect(requests.length).toBeLessThanOrEqual(3)
      expect(requests.filter(({ line }) => !line.startsWith('PROPFIND'))).toEqual([])
    }
  })
})

test('a link that is known nowhere', async () => {
  const { url } = await cloud({ has: [] })
  const links = impatient()
  closers.push(() => links.close())
  const error = await failure(openShare(`${url}/s/${token}`, { links, kind: 'nextcloud' }).list(), [token])
  expect(error).toMatchObject({ code: 'FILE', status: 404 })
  const page = await failure(openShare(`${url}/s/${token}`, { links }).list(), [token])
  expect([page.code, page.message]).toEqual(['FILE', expect.stringContaining('a page to log in, perhaps')])
})

test('a plain folder whose path looks like a public link is found all the same', async () => {
  const made = await scripted((request, response) => {
    const { url: path = '', method } = request
    if (!path.startsWith('/data/s/2026/')) response.writeHead(404).end()
    else if (method !== 'GET') response.writeHead(405).end()
    else response.end(path.endsWith('/') ? '<a href="20260729_aucde.parquet">x</a>' : 'PAR1')
  })
  closers.push(() => made.close())
  const links = impatient()
  closers.push(() => links.close())
  const share = openShare(`${made.url}/data/s/2026/`, { links, password })
  expect(String(await all(await share.open('20260729')))).toBe('PAR1')
})

test.each<[string, ReturnType<typeof parsePublicLink>]>([
  ['https://h.example/s/abc', { base: 'https://h.example', token: 'abc', inside: '' }],
  [
    'https://h.example:8443/a/b/index.php/s/abc/?path=/x',
    { base: 'https://h.example:8443/a/b', token: 'abc', inside: 'x/' },
  ],
  ['https://h.example/s/abc?path=%2F..%2F..%2Fetc', { base: 'https://h.example', token: 'abc', inside: 'etc/' }],
  ['https://h.example/share/abc/', undefined],
  ['https://h.example/s/', undefined],
  ['https://h.example/s/a%2Fb', undefined],
])('%s', (link, expected) => expect(parsePublicLink(link)).toEqual(expected))
