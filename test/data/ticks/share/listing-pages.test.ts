import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { daysBetween } from '../../../../src/contract/day-list.js'
import { tickFileName } from '../../../../src/data/ticks/share/file-share.js'
import type { ShareKind } from '../../../../src/data/ticks/share/share-kinds.js'
import { failure, impatientShare, scripted } from './scripted-server.js'

const days = daysBetween('20260706', '20260713')

/** A folder `/dav/` that is listed in pages of two; `more` gives what leads from one to the next, or says that there is more. */
interface Paged {
  readonly kind?: ShareKind
  readonly headers?: (from: number, base: string) => Record<string, string | string[]>
  /** In the body of a page. */
  readonly inside?: (from: number, base: string) => string
  readonly pageOf?: (from: number) => readonly string[]
  /** Entries of no file. */
  readonly besides?: string
}

const resource = (href: string, props = '', status = ''): string =>
  `<d:response><d:href>${href}</d:href>${status === '' ? `<d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>` : `<d:status>HTTP/1.1 ${status}</d:status>`}</d:response>`

function write(response: ServerResponse, paged: Paged, from: number, base: string): void {
  const { kind = 'webdav', headers, inside, pageOf = (at: number) => days.slice(at, at + 2), besides = '' } = paged
  const names = pageOf(from).map((day) => `/dav/${tickFileName(day)}`)
  const own = inside?.(from, base) ?? ''
  const sent = { 'content-type': 'text/html', ...headers?.(from, base) }
  if (kind === 'index') {
    response.writeHead(200, sent).end(names.map((name) => `<a href="${name}">x</a>`).join('') + besides + own)
    return
  }
  const folder = resource('/dav/', '<d:resourcetype><d:collection/></d:resourcetype>')
  const list = names.map((name) => resource(name)).join('')
  response.writeHead(207, sent).end(`<d:multistatus xmlns:d="DAV:">${folder}${besides}${list}${own}</d:multistatus>`)
}

async function listed(paged: Paged, existing: readonly string[] = []) {
  const { kind = 'webdav' } = paged
  const server = await scripted((request, response) => {
    const { url = '', method } = request
    const address = new URL(url, 'http://x')
    if ((method === 'PROPFIND') === (kind === 'webdav') && /^\/dav\/(\w*)$/.test(address.pathname)) {
      const from = Number(address.searchParams.get('mk') ?? address.pathname.split('/')[2] ?? 0)
      return write(response, paged, from, server.url)
    }
    const isThere = existing.some((day) => url.endsWith(tickFileName(day)))
    response.writeHead(isThere ? 200 : 404).end('PAR1')
  })
  const share = impatientShare(`${server.url}/dav/`, { password: 'p', kind })
  return { list: async () => (await share.list()).map(({ day }) => day), ...server }
}

const ends = (from: number, next: string | string[]): Record<string, string | string[]> =>
  from + 2 < days.length ? { link: next } : {}

describe('a listing in pages is read to its end', () => {
  test.each<[string, Paged['headers']]>([
    ['absolute', (from, base) => ends(from, `<${base}/dav/?mk=${from + 2}>; rel="next"`)],
    ['relative, without quotes', (from) => ends(from, `<?mk=${from + 2}>;rel=next`)],
    ['of a path', (from) => ends(from, `</dav/${from + 2}>; rel = "next"`)],
    ['second of two', (from) => ends(from, `</dav/>; rel="first", </dav/?mk=${from + 2}>; rel="next"`)],
    ['in a header of its own', (from) => ends(from, ['</dav/>; rel=prev', `</dav/?mk=${from + 2}>; rel=next`])],
    ['of several relations', (from) => ends(from, `</dav/?mk=${from + 2}>; rel="section NEXT"`)],
    [
      'after other parameters',
      (from) => ends(from, `</dav/?mk=${from + 2}&a=1,2>; title="a, \\"b\\">; rel=prev"; Rel=next`),
    ],
    [
      'beside one of another page',
      (from) => ends(from, `</x>; rel=next; anchor="/other", <?mk=${from + 2}>; rel=next`),
    ],
  ])('by a Link that is %s', async (_, headers) => {
    for (const kind of ['webdav', 'index'] as const) {
      const { list, requests } = await listed({ kind, ...(headers && { headers }) })
      expect(await list()).toEqual(days)
      expect(requests).toHaveLength(3)
      expect(requests.every((one) => one.headers.authorization !== undefined)).toBe(true)
    }
  })

  test.each([
    (next: string) => `<link rel="next" href="${next}">`,
    (next: string) => `<a rel=next href='${next.replace('=', '&#61;')}'>more</a>`,
    (next: string) => `<a class="x" href="${next}"><span>Next page</span> »</a>`,
    (next: string) => `<a href="${next}">下一页</a>`,
  ])('by a link in its page: %#', async (link) => {
    const inside = (from: number): string => (from + 2 < days.length ? link(`?mk=${from + 2}`) : '')
    expect(await (await listed({ kind: 'index', inside })).list()).toEqual(days)
  })

  test('links that sort a page, lead to other folders or speak of something else lead nowhere', async () => {
    const inside = () => '<a href="?C=N;O=D">Name</a><a href="../2027/">Next</a><a rel="nextcloud" href="?a">x</a>'
    const headers = () => ({ link: '</a>; rel="prev", </b>; rel=nextish, <c>; title="rel=next"', 'x-cache-hits': '99' })
    const { list, requests } = await listed({ kind: 'index', inside, headers, pageOf: () => days })
    expect([await list(), requests.length]).toEqual([days, 1])
  })
})

describe('a listing that is not whole is refused', () => {
  const refusal = async (paged: Paged, existing?: readonly string[]): Promise<string> => {
    const error = await failure((await listed(paged, existing)).list())
    expect((error as { code?: string }).code).toBe('FILE')
    return error.message
  }
  const insufficient = resource('/dav/', '', '507 Insufficient Storage')

  test.each<[string, Paged, RegExp]>([
    ['507 of the folder', { inside: () => insufficient }, /cut \(status 507\)/],
    [
      'a file without its state',
      { inside: () => resource(`/dav/${tickFileName('20260714')}`, '', '403 No') },
      /status 403/,
    ],
    ['a header that counts more', { headers: () => ({ 'x-total-count': '6' }) }, /cut \(x-total-count: 6\)/],
    ['a header that says more', { kind: 'index', headers: () => ({ 'x-has-more': 'true' }) }, /x-has-more/],
    ['a loop', { headers: () => ({ link: '</dav/>; rel=next' }) }, /do not end/],
    ['a loop of two', { headers: (from) => ({ link: `<?mk=${2 - from}>; rel=next` }) }, /do not end/],
    [
      'pages without end',
      { pageOf: () => days, headers: (from) => ({ link: `<?mk=${from + 1}>; rel=next` }) },
      /page 2 leads to a next one still/,
    ],
    [
      'a next page of another server',
      { headers: () => ({ link: '<http://127.0.0.2:1/x>; rel=next' }) },
      /another server/,
    ],
    ['a page that fails', { headers: (from) => ends(from, '</gone>; rel=next') }, /answers 404/],
  ])('%s', async (_, paged, message) => expect(await refusal(paged)).toMatch(message))

  test.each([
    `<ListBucketResult><IsTruncated>true</IsTruncated><Key>${tickFileName('20260706')}</Key></ListBucketResult>`,
    JSON.stringify({ files: [tickFileName('20260706')], has_more: true }),
    JSON.stringify({ files: [{ name: tickFileName('20260706') }], total: 9 }),
  ])('a list that says so itself: %s', async (text) => {
    const paged: Paged = { kind: 'index', pageOf: () => [], inside: () => text }
    expect(await refusal(paged)).toMatch(/was cut/)
    const whole = text.replace('true', 'false').replace('9', '1')
    expect(await (await listed({ ...paged, inside: () => whole })).list()).toEqual(['20260706'])
  })

  test('as many entries as a service lists at once, and a file that is there and not among them', async () => {
    const year = daysBetween('20250102', '20260630')
    const paged: Paged = {
      pageOf: () => year.slice(0, 300),
      besides: Array.from({ length: 449 }, (_, i) => resource(`/dav/other-${i}.csv`)).join(''),
    }
    expect(await refusal(paged, year)).toMatch(
      new RegExp(`750 entries without the file of ${year[300]}, which is there`),
    )
    expect(await (await listed(paged, year.slice(0, 300))).list()).toHaveLength(300)
    expect(
      await refusal({ ...paged, pageOf: () => year.filter((day) => day !== year[7]).slice(0, 300) }, year),
    ).toMatch(new RegExp(`the file of ${year[301]}`))
  })
})
