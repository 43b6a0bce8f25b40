import { expect, test } from 'vitest'
import { multistatus } from '../../../../src/server/service/share/folder-listing.js'
import { parsePropfind } from '../../../../src/server/service/share/propfind.js'

const space = 'DAV:'

test.each([
  ['', { all: 'values' }],
  [' \n', { all: 'values' }],
  ['<propfind xmlns="DAV:"><allprop/></propfind>', { all: 'values' }],
  ['<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>', { all: 'names' }],
  [
    '\ufeff<?xml version="1.0"?>\n<!-- <x> --><a:propfind xmlns:a="DAV:" xmlns:o=\'urn:o&amp;p\'><a:prop><a:getetag/>\n' +
      '<o:mine></o:mine><plain xmlns=""/></a:prop></a:propfind>',
    {
      some: [
        { space, name: 'getetag' },
        { space: 'urn:o&p', name: 'mine' },
        { space: '', name: 'plain' },
      ],
    },
  ],
  ['<propfind xmlns="DAV:"><prop/></propfind>', { some: [] }],
])('%j asks for', (body, asked) => {
  expect(parsePropfind(body)).toEqual(asked)
})

test.each([
  'text',
  '<propfind/>',
  '<propfind xmlns="DAV:"/>',
  '<propfind xmlns="DAV:"><allprop></propfind>',
  '<propfind xmlns="DAV:"><allprop/>',
  '<x:propfind><x:allprop/></x:propfind>',
  '<!DOCTYPE a [<!ENTITY x "y">]><propfind xmlns="DAV:"><allprop/></propfind>',
  '<propfind xmlns="DAV:"><allprop/></propfind><propfind xmlns="DAV:"/>',
  '<propfind xmlns="DAV:"><allprop a=b/></propfind>',
  `<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(65)}</prop></propfind>`,
  `<propfind xmlns="DAV:"><prop><a xmlns="${'x'.repeat(300)}"/></prop></propfind>`,
  '<propfind xmlns="DAV:"><prop><a xmlns="\u0001"/></prop></propfind>',
])('%j is malformed', (body) => {
  expect(parsePropfind(body)).toBeUndefined()
})

test('what is not known is 404, in its own namespace', () => {
  const file = { size: 12, etag: '"e&f"' }
  const resource = { href: '/share/t/a', name: 'a', modified: Date.parse('2026-07-29T08:00:00Z'), file }
  const some = [
    { space, name: 'getcontentlength' },
    { space, name: 'getetag' },
    { space, name: 'quota' },
    { space: 'urn:"x"', name: 'mine' },
  ]
  expect(multistatus([resource], { some })).toBe(
    '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n<D:response><D:href>/share/t/a</D:href>' +
      '<D:propstat><D:prop><D:getcontentlength>12</D:getcontentlength><D:getetag>&quot;e&amp;f&quot;</D:getetag></D:prop>' +
      '<D:status>HTTP/1.1 200 OK</D:status></D:propstat><D:propstat><D:prop><D:quota/><x:mine xmlns:x="urn:&quot;x&quot;"/>' +
      '</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>\n</D:multistatus>\n',
  )
  expect(multistatus([resource], { some: [{ space, name: 'quota' }] })).not.toContain('200 OK')
  expect(multistatus([resource], { all: 'names' })).toContain('<D:getetag/>')
})
