import { describe, expect, test } from 'vitest'
import { dayOfTickFile, fileAddress, folderAddress } from '../../../../src/data/ticks/share/file-share.js'
import { parseIndexPage, parseWebdavListing } from '../../../../src/data/ticks/share/folder-listings.js'

const file = (href: string, props = '', prefix = 'D'): string =>
  `<${prefix}:response><${prefix}:href>${href}</${prefix}:href><${prefix}:propstat><${prefix}:prop>${props}</${prefix}:prop><${prefix}:status>HTTP/1.1 200 OK</${prefix}:status></${prefix}:propstat></${prefix}:response>`
const wrap = (inside: string, prefix = 'D'): string =>
  `<?xml version="1.0"?><${prefix}:multistatus xmlns:${prefix}="DAV:">${inside}</${prefix}:multistatus>`
const self =
  '<D:response><D:href>/dav/2026/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>'
const daysOf = async (text: string): Promise<string[]> => (await parseWebdavListing(text)).files.map(({ day }) => day)

describe('a listing by WebDAV', () => {
  test('namespaces count and prefixes do not', async () => {
    const own = file('/dav/2026/20260729_aucde.parquet', '<d:getcontentlength>12</d:getcontentlength>', 'd')
    expect((await parseWebdavListing(wrap(own, 'd'))).files).toEqual([{ day: '20260729', size: 12 }])
    expect(
      await daysOf('<multistatus xmlns="DAV:"><response><href>20260729_aucde.parquet</href></response></multistatus>'),
    ).toEqual(['20260729'])
    const strange = '<x:getcontentlength xmlns:x="urn:x">13</x:getcontentlength>'
    expect((await parseWebdavListing(wrap(file('/dav/20260729_aucde.parquet', strange)))).files).toEqual([
      { day: '20260729' },
    ])
    await expect(parseWebdavListing(wrap(own, 'd').replace('DAV:', 'urn:other'))).rejects.toThrow('no multistatus')
  })

  test.each([
    '/dav/2026/../20260729_aucde.parquet',
    '/dav/2026/..%2f20260729_aucde.parquet',
    '/dav/2026/..%5c20260729_aucde.parquet',
    '/dav/2026/20260729_aucde.parquet%00',
    '/dav/2026/20260729_aucde.parquet/',
    '/dav/2026/20260729_aucde.parquet%2F..',
    '/dav/2026/20260729_aucde.parquet%',
    '/dav/2026/old/20260729_aucde.parquet',
    '/dav/2026/20260230_aucde.parquet',
    '/dav/2026/120260729_aucde.parquet',
    '/dav/2026/20260729_aucde.parquet.part',
    '/dav/2026/２０２６0729_aucde.parquet',
    '/dav/2026/20260729_AUCDE.parquet',
    'http://[',
    '',
  ])('%j is no file of the folder', async (href) => {
    if (!href.includes('/../')) expect(await daysOf(wrap(self + file(href)))).toEqual([])
    expect(await daysOf(wrap(self + file(href) + file('/dav/2026/20260105_aucde.parquet')))).toEqual(['20260105'])
  })

  test('hrefs of every form that servers write', async () => {
    for (const href of [
      '/dav/2026/20260729_aucde.parquet',
      'http://other.example/dav/2026/20260729_aucde.parquet',
      '/dav/%32026/%320260729_aucde%2Eparquet',
      '/dav/2026/20260729&#95;aucde.parquet',
      '<![CDATA[/dav/2026/20260729_aucde.parquet]]>',
      '\n  /dav/2026/20260729_aucde.parquet\n',
    ]) {
      expect(await daysOf(wrap(self + file(href)))).toEqual(['20260729'])
    }
  })

  test('a folder of a file’s name is none; one file that is listed twice must be alike', async () => {
    const folder = file('/dav/2026/20260729_aucde.parquet', '<D:resourcetype><D:collection/></D:resourcetype>')
    expect(await daysOf(wrap(self + folder))).toEqual([])
    const sized = (size: number): string =>
      file('/dav/2026/20260729_aucde.parquet', `<D:getcontentlength>${size}</D:getcontentlength>`)
    expect(await daysOf(wrap(self + sized(1) + sized(1)))).toEqual(['20260729'])
    await expect(parseWebdavListing(wrap(self + sized(1) + sized(2)))).rejects.toThrow(
      'lists the file of 20260729 twice',
    )
  })

  test.each<[string, string, RegExp]>([
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${wrap('')}`, /document type/],
    ['an entity', wrap(file('/&secret;/20260729_aucde.parquet')), /not XML/],
    ['an end that is missing', wrap(self).slice(0, -10), /not XML/],
    ['a page', '<html><body><br></body></html>', /multistatus|not XML/],
    ['nothing', '', /not XML/],
    ['JSON', '{"a":1}', /not XML/],
    ['elements without end', wrap('<D:response>'.repeat(200_000)), /too deep/],
    ['a prefix of nowhere', '<q:multistatus/>', /not XML/],
  ])('%s is refused', async (_, text, message) => expect(parseWebdavListing(text)).rejects.toThrow(message))
})

describe('a listing by a page', () => {
  const at = 'https://host.example/ticks/2026/?key=1'
  const on = (text: string, address = at): string[] => parseIndexPage(text, address).files.map(({ day }) => day)

  test.each([
    '20260729_aucde.parquet',
    './20260729_aucde.parquet',
    '/ticks/2026/20260729_aucde.parquet',
    'https://host.example/ticks/2026/20260729_aucde.parquet?raw=1&amp;x=2#y',
    '%320260729_aucde.parquet',
    '2026&#48;729&#x5f;aucde.parquet',
  ])('a link to %s is one', (href) => {
    expect(on(`<a href="${href}">x</a>`)).toEqual(['20260729'])
    expect(on(`<A class=a\nHREF = '${href}'>x</a>`)).toEqual(['20260729'])
    expect(on(`<a href=${href}>x</a>`)).toEqual(['20260729'])
  })

  test.each([
    '../20260729_aucde.parquet',
    'old/20260729_aucde.parquet',
    '..%2f20260729_aucde.parquet',
    'https://other.example/ticks/2026/20260729_aucde.parquet',
    'http://host.example/ticks/2026/20260729_aucde.parquet',
    '20260729_aucde.parquet/',
    '20260230_aucde.parquet',
    'x20260729_aucde.parquet',
    '20260729_aucde.parquet.part',
    '?file=20260729_aucde.parquet',
    '#20260729_aucde.parquet',
    'javascript:20260729_aucde.parquet',
    '&#99999999;',
    '%',
    'http://[',
  ])('a link to %s is none', (href) => expect(on(`<a href="${href}">20260729_aucde.parquet</a>`)).toEqual([]))

  test('a plain list, or one of JSON or XML, is read by its names', () => {
    expect(on('20260729_aucde.parquet\r\n20260105_aucde.parquet\n20260729_aucde.parquet')).toEqual([
      '20260105',
      '20260729',
    ])
    expect(on('[{ "name":"20260729_aucde.parquet", "type":"file" }]')).toEqual(['20260729'])
    expect(on('<list><file size="3">20260729_aucde.parquet</file></list>')).toEqual(['20260729'])
    for (const none of [
      'x20260729_aucde.parquet',
      '20260729_aucde.parquet.part',
      '20260799_aucde.parquet',
      '120260729_aucde.parquet',
      '20260729_aucde.csv',
      '%2f20260729_aucde.parquet%00',
    ]) {
      expect(on(none), none).toEqual([])
    }
  })

  test.each([
    ['<a '.repeat(1_000_000)],
    [`<a ${'href '.repeat(500_000)}`],
    ['<a href="'.repeat(500_000)],
    [`<a href=${' '.repeat(3_000_000)}`],
    [`${'2'.repeat(3_000_000)}_aucde.parquet`],
    [`<a ${'x'.repeat(3_000_000)}`],
  ])('a page made to be slow is read all the same', (text) => expect(on(text)).toEqual([]))
})

test('a file lies in the folder of the link, whatever its slash and its query', () => {
  for (const link of ['http://h/s/t', 'http://h/s/t/', 'http://h/s/t//', 'http://h/s/t#x']) {
    expect(folderAddress(link)).toBe('http://h/s/t/')
    expect(fileAddress(folderAddress(link), '20260729')).toBe('http://h/s/t/20260729_aucde.parquet')
  }
  expect(fileAddress('https://h/s?k=1', '20260729')).toBe('https://h/s/20260729_aucde.parquet?k=1')
  expect([dayOfTickFile('20260729_aucde.parquet'), dayOfTickFile('20260729_aucde.parquet\n')]).toEqual([
    '20260729',
    undefined,
  ])
})
