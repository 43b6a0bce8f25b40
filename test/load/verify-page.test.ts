import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFiles } from '../../src/archive/import/import-files.js'
import { connect } from '../../src/connect.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { type ReportOptions, report } from '../../src/load/market-report.js'
import { verify } from '../../src/load/verify-page.js'
import type { Market } from '../../src/market.js'
import { tearSheet } from '../../src/report/tear-sheet/tear-sheet.js'
import { pageHash } from '../../src/report/verify/page-manifest.js'
import { readPage } from '../../src/report/verify/read-page.js'
import { writeSample } from '../../src/sample/write-sample.js'
import { tempDir } from '../helper/temp.js'

const dir = join(tempDir(), 'archive')
await writeSample(dir, { days: 8, symbols: 3 })
const market = await connect({ archive: dir })
const options: ReportOptions = { days: 4, language: 'en', title: 'For <you> & "me"' }
const page = await report(market, options)

/** The page with another manifest and, as a careful forger would see to, a checksum that holds. */
async function resealed(
  text: string,
  change: (manifest: Record<string, unknown>) => void = () => undefined,
): Promise<string> {
  const [, content = ''] = /<meta name="quotebook-manifest" content="([^"]*)">/.exec(text) ?? []
  const manifest = JSON.parse(
    content
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll('&#39;', "'"),
  )
  const old = manifest.page
  change(manifest)
  manifest.page = old
  const escaped = JSON.stringify(manifest)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const changed = text.replace(content, () => escaped)
  return changed.replace(`&quot;page&quot;:&quot;${old}`, `&quot;page&quot;:&quot;${pageHash(changed, old)}`)
}

test('the helper that forges is right: without a change it gives the page', async () => {
  expect(await resealed(page)).toBe(page)
})

test('the same source gives the same bytes', async () => {
  const found = await verify(page, market)
  expect(found).toMatchObject({
    kind: 'report',
    same: true,
    sealed: true,
    reasons: [],
    figures: [],
    inputs: [],
    source: [],
  })
  expect(found.manifest.options).toEqual({
    days: 4,
    end: '20260729',
    until: found.manifest.options.until,
    language: 'en',
    title: options.title,
  })
  expect(found.manifest.inputs.map(({ name }) => name)).toContain('convertible_daily')
  // The archive has fewer days than its means reach back to.
  for (const { name, rows, sha256, complete } of found.manifest.inputs)
    expect([name, rows > 0, sha256?.length, complete]).toEqual([name, true, 64, !name.endsWith(', earlier days')])
})

test('another name of the source is told, and is no other page', async () => {
  const copy = join(tempDir(), 'copied')
  cpSync(dir, copy, { recursive: true })
  const found = await verify(page, await connect({ archive: copy }))
  expect(found).toMatchObject({ same: true, reasons: [] })
  expect(found.source).toEqual([{ name: 'name', page: 'archive archive', here: 'archive copied' }])
})

test('a tampered figure is named with what it was, whether or not the checksum was made good', async () => {
  const { figures } = await readPage(page)
  const figure = figures.find(({ value, text }) => value !== undefined && /\d/.test(text))
  const forged = page.replace(`value="${figure?.value}">${figure?.text}<`, 'value="99">99<')
  for (const text of [forged, await resealed(forged)]) {
    const found = await verify(text, market)
    expect(found).toMatchObject({
      same: false,
      sealed: text !== forged,
      reasons: [text === forged ? 'altered' : 'unexplained'],
      inputs: [],
      options: [],
    })
    expect(found.figures).toEqual([
      {
        section: '',
        label: figure?.label,
        page: '99',
        here: figure?.text,
        by: Number((Number(figure?.value) - 99).toPrecision(12)),
      },
    ])
  }
})

test('a tampered word outside of figures is found', async () => {
  const found = await verify(await resealed(page.replace('never zero', 'often zero')), market)
  expect(found).toMatchObject({ same: false, sealed: true, reasons: ['unexplained'], figures: [] })
  expect(found.firstDifference?.page).toContain('often zero')
  expect(found.firstDifference?.here).toContain('never zero')
})

test('a tampered manifest: rows of an input, an option, the version, who the source is', async () => {
  const rows = await verify(
    await resealed(page, (it) => Object.assign((it.inputs as object[])[0] as object, { rows: 1_000_000 })),
    market,
  )
  expect(rows).toMatchObject({ same: false, sealed: true, reasons: ['unexplained', 'inputs'], figures: [] })
  expect(rows.inputs).toHaveLength(1)
  expect(rows.inputs[0]?.page).toContain('1000000 rows')
  const days = await verify(await resealed(page, (it) => Object.assign(it.options as object, { days: 3 })), market)
  expect(days).toMatchObject({ same: false, sealed: true })
  expect(days.reasons).toContain('inputs')
  expect(days.figures.length).toBeGreaterThan(10)
  const version = await verify(await resealed(page, (it) => Object.assign(it, { version: '9.0.0' })), market)
  expect(version).toMatchObject({ same: false, reasons: ['version'], version: { page: '9.0.0' } })
  const about = await verify(
    await resealed(page.replace(/<p class="about">.*<\/p>\n/, ''), (it) =>
      Reflect.deleteProperty(it.source as object, 'about'),
    ),
    market,
  )
  expect(about).toMatchObject({ same: false, reasons: ['source'] })
  expect(about.source[0]?.here).toMatch(/^SYNTHETIC/)
})

test.each([
  ['days', 1e9],
  ['days', '4'],
  ['end', '20260729\n; rm'],
  ['end', 'latest'],
  ['until', ['20260729']],
  ['language', 'fr'],
  ['sections', 'indices'],
  ['sections', ['constructor']],
  ['title', { toString: 1 }],
])('an option that no report has is refused: %s %j', async (name, value) => {
  const forged = await resealed(page, (it) => Object.assign(it.options as object, { [name]: value }))
  const error = await verify(forged, market).catch((error) => error)
  expect(['INVALID_VALUE', 'USAGE']).toContain(error.code)
})

/** The archive with one cell changed: a price of a convertible bond, in its last digit. */
async function changed(): Promise<Market> {
  const copy = join(tempDir(), 'archive')
  cpSync(dir, copy, { recursive: true })
  const table = await market.table.convertibleDaily({ startdate: '20260729', enddate: '20260729' })
  const rows = table.toArray().map((row) => row?.toJSON() as Record<string, unknown>)
  ;(rows[0] as Record<string, unknown>).close = Number(rows[0]?.close) + 0.01
  const file = join(tempDir(), 'convertible.json')
  writeFileSync(file, JSON.stringify(rows))
  await importFiles(copy, datasetOf('convertible_daily'), [file])
  return connect({ archive: copy })
}

test('one changed cell of an input: the input is named with both checksums, and the figures that it moves', async () => {
  const found = await verify(page, await changed())
  expect(found).toMatchObject({ same: false, sealed: true, reasons: ['inputs'], options: [] })
  expect(found.inputs.map(({ name }) => name)).toEqual(['convertible_daily'])
  expect(found.figures.length).toBeGreaterThan(0)
  expect(found.figures.every(({ section }) => ['', 'convertible', 'appendix'].includes(section))).toBe(true)
  expect(found.figures.some(({ by }) => by === 0.01)).toBe(true)
})

test('years later: a source that has gone on gives the page of the day again', async () => {
  const later = join(tempDir(), 'archive')
  await writeSample(later, { days: 8, symbols: 3 })
  const before = await report(await connect({ archive: later }), { days: 4, end: '20260724' })
  const { manifest } = await readPage(before)
  expect(manifest.options).toMatchObject({ end: '20260724', until: '20260724' })
  expect(before).toContain('<h1>The market’s day <small><time datetime="2026-07-24">')
  expect(before).not.toContain('2026-07-29')
  expect(await verify(before, await connect({ archive: later }))).toMatchObject({ same: true })
  await expect(report(market, { end: '20260725' })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
  await expect(report(market, { end: '20250725' })).rejects.toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining('20250725'),
  })
})

test('two pages are held against each other; a tear sheet against itself made again, and not against a source', async () => {
  const other = await verify(page, await report(market, { ...options, days: 3 }))
  expect(other.reasons).toEqual(['options', 'inputs'])
  expect(other.options).toEqual([{ name: 'days', page: '4', here: '3' }])
  const run = { days: ['20260727', '20260728', '20260729'], returns: [0.01, -0.02, 0.005] }
  const sheet = await tearSheet(run)
  expect(await verify(sheet, await tearSheet(run))).toMatchObject({ kind: 'tear-sheet', same: true })
  const found = await verify(sheet, await tearSheet({ ...run, returns: [0.01, -0.02, 0.006] }))
  expect(found).toMatchObject({ same: false, reasons: ['inputs'] })
  expect(found.figures.some(({ by }) => by !== undefined && by !== 0)).toBe(true)
  await expect(verify(sheet, market)).rejects.toMatchObject({ code: 'USAGE' })
})
