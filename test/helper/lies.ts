import { type Distortion, markOf, type Sheet } from './lying-vendor.js'

/** The first rows whose text is no longer than so many bytes. */
function withinBytes({ items, fields }: Sheet, most: number) {
  let size = JSON.stringify({ code: 200, message: 'success', data: { fields, items: [] } }).length
  const end = items.findIndex((row) => {
    size += JSON.stringify(row).length + 1
    return size > most
  })
  return end < 0 ? items : items.slice(0, end)
}

const bytes =
  (most: number): Distortion =>
  (sheet) => ({ items: withinBytes(sheet, most) })

/** So many rows of each code, the first or the last. */
const perCode =
  (most: number, isLast = false): Distortion =>
  ({ items, code }) => {
    const counts = new Map<string, number>()
    const kept = (isLast ? items.toReversed() : items).filter((row) => {
      const count = (counts.get(code(row)) ?? 0) + 1
      counts.set(code(row), count)
      return count <= most
    })
    return { items: isLast ? kept.toReversed() : kept }
  }

const where = (keep: (sheet: Sheet, row: readonly unknown[], at: number) => boolean): Distortion => {
  return (sheet) => ({ items: sheet.items.filter((row, at) => keep(sheet, row, at)) })
}

const textOf = (row: readonly unknown[]): string => JSON.stringify(row)

/** 1: codes that are there in part. */
export const partial: Readonly<Record<string, Distortion>> = {
  'bytes 2,000': bytes(2000),
  'bytes 4,000': bytes(4000),
  'bytes 8,000': bytes(8000),
  'bytes 16,000': bytes(16_000),
  'bytes 32,000': bytes(32_000),
  'bytes 64,000': bytes(64_000),
  'bytes 120,000': bytes(120_000),
  'bytes 250,000': bytes(250_000),
  'rows at random, others each time': where(({ number }, row) => markOf(`${number}${textOf(row)}`) > 0.02),
  'rows at random of several codes': where(({ codes }, row) => codes.length < 4 || markOf(textOf(row)) > 0.03),
  'one row of several codes': where(({ codes, items }, _, at) => codes.length < 3 || at !== items.length >> 1),
  '4 rows a code': perCode(4),
  'the last 4 rows a code': perCode(4, true),
  'a thinned grid': where(({ items }, _, at) => items.length <= 30 || at % 2 === 0),
  'a grid thinned by thirds': where(({ items }, _, at) => items.length <= 12 || at % 3 !== 1),
  'last code partial': ({ items, codes, code }) => {
    if (codes.length < 2) return { items }
    const own = items.filter((row) => code(row) === codes.at(-1))
    const cut = new Set(own.slice(own.length >> 1))
    return { items: items.filter((row) => !cut.has(row)) }
  },
  'last code gone': where(({ codes, code }, row) => codes.length < 4 || code(row) !== codes.at(-1)),
  'middle of a code gone': ({ items, codes, code }) => {
    if (codes.length < 3) return { items }
    const own = items.filter((row) => code(row) === codes[1])
    return { items: items.filter((row) => row !== own[own.length >> 1]) }
  },
}

/** A row cap with a word of it. */
const says =
  (most: number, word: (rows: number, all: number) => Omit<ReturnType<Distortion>, 'items'>): Distortion =>
  ({ items }) => {
    const kept = items.slice(0, most)
    return { items: kept, ...(kept.length < items.length ? word(kept.length, items.length) : {}) }
  }

const cap = 14

/** 2: the vendor says it. */
export const words: Readonly<Record<string, Distortion>> = {
  'has_more in data': says(cap, () => ({ beside: { has_more: true } })),
  'hasMore at the top': says(cap, () => ({ outer: { hasMore: true } })),
  'truncated in data': says(cap, () => ({ beside: { truncated: true } })),
  'partial at the top': says(cap, () => ({ outer: { partial: true } })),
  'is_complete false': says(cap, () => ({ beside: { is_complete: false } })),
  'total_rows in data': says(cap, (_, all) => ({ beside: { total_rows: all } })),
  'count at the top': says(cap, (_, all) => ({ outer: { count: all } })),
  'total_count as text': says(cap, (_, all) => ({ beside: { total_count: String(all) } })),
  'meta.total': says(cap, (_, all) => ({ outer: { meta: { total: all } } })),
  'next cursor': says(cap, () => ({ beside: { pagination: { next_cursor: 'abc' } } })),
  'rows left': says(cap, (rows, all) => ({ beside: { remaining: all - rows } })),
  'pages 3': says(cap, (rows, all) => ({ beside: { page: 1, total_pages: Math.ceil(all / rows) } })),
  'status 206': says(cap, () => ({ status: 206 })),
  'Content-Range': says(cap, (rows, all) => ({ headers: { 'content-range': `items 0-${rows - 1}/${all}` } })),
  'X-Truncated': says(cap, () => ({ headers: { 'x-truncated': 'true' } })),
  'X-Total-Count': says(cap, (_, all) => ({ headers: { 'x-total-count': String(all) } })),
  'Link next': says(cap, () => ({ headers: { link: '</api?page=2>; rel="next"' } })),
  'has_more though all is there': ({ items }) => ({ items, beside: { has_more: true } }),
}

const close = (sheet: Sheet, row: readonly unknown[]): string => String(sheet.cell(row, 'trademin') ?? '')

/** 3: whole buckets and days. */
export const gaps: Readonly<Record<string, Distortion>> = {
  'no morning': where(
    (sheet, row) =>
      sheet.asked.params.trademin !== undefined || !(close(sheet, row) < '1200') || close(sheet, row) === '',
  ),
  'no afternoon of several codes': where((sheet, row) => sheet.codes.length < 3 || !(close(sheet, row) > '1200')),
  'no last bar of several codes': where(
    (sheet, row) => sheet.codes.length < 3 || sheet.asked.params.trademin !== undefined || close(sheet, row) !== '1500',
  ),
  '60 minutes for 30': where(
    (sheet, row) =>
      close(sheet, row) === '' ||
      sheet.asked.params.trademin !== undefined ||
      ['1030', '1130', '1400', '1500'].includes(close(sheet, row)),
  ),
  'a day of several codes and days': where(
    ({ codes, days, day }, row) => codes.length < 2 || days.length < 2 || day(row) !== days[days.length >> 1],
  ),
  'a day of a range': where(({ days, day }, row) => days.length < 3 || day(row) !== days[days.length >> 1]),
  'two days of a range': where(
    ({ days, day }, row) => days.length < 4 || ![days[1], days[days.length - 2]].includes(day(row)),
  ),
  'the last day of a range': where(({ days, day }, row) => days.length < 2 || day(row) !== days.at(-1)),
}

function changed(sheet: Sheet, row: readonly unknown[]): readonly unknown[] {
  const at = sheet.fields.findIndex((name) => ['close', 'name', 'amount', 'title', 'question'].includes(name))
  return row.map((cell, i) => (i !== at || cell === null ? cell : typeof cell === 'number' ? cell + 0.01 : `${cell}'`))
}

/** 4: two snapshots in one answer. */
export const snapshots: Readonly<Record<string, Distortion>> = {
  'nodes take turns, other values': (sheet) => ({
    items: sheet.number % 2 ? sheet.items : sheet.items.map((row) => changed(sheet, row)),
  }),
  'nodes take turns, one lacks rows': where(
    ({ number, items }, _, at) => number % 2 === 1 || at % 7 !== 3 || items.length < 8,
  ),
  'changed after the first request': (sheet) => ({
    items: sheet.number === 1 ? sheet.items : sheet.items.map((row) => changed(sheet, row)),
  }),
  'a cap that changes': ({ items, number }) => ({ items: items.slice(0, [40, 66, 53][number % 3]) }),
  'a cap that grows with the request': ({ items, days, codes }) => ({
    items: items.slice(0, 6 + 2 * days.length + codes.length),
  }),
  'a cap that shrinks with the request': ({ items, days }) => ({
    items: items.slice(0, Math.max(10, 90 - 2 * days.length)),
  }),
}

const isPage = ({ asked }: Sheet): boolean => asked.params.offset !== undefined

/** Pages no longer than 60 rows, and then. */
const paged =
  (lie: (items: Sheet['items'], sheet: Sheet) => Sheet['items']): Distortion =>
  (sheet) => ({ items: isPage(sheet) ? lie(sheet.items.slice(0, 60), sheet) : lie(sheet.items, sheet) })

let firstPage: Sheet['items'] = []

/** 5: documents twice, rows that trade places. */
export const documents: Readonly<Record<string, Distortion>> = {
  'pages of 60 rows': paged((items) => items),
  'a document twice in a page': paged((items) =>
    items.map((row, at) => (at === 9 && items.length > 12 ? (items[3] as unknown[]) : row)),
  ),
  'neighbours twice': paged((items) =>
    items.map((row, at) => (at === 9 && items.length > 12 ? (items[8] as unknown[]) : row)),
  ),
  'a document of the first page in a later one': paged((items, { asked }) => {
    if (!(Number(asked.params.offset) > 0)) firstPage = items
    return items.map((row, at) => (at === 9 && Number(asked.params.offset) > 100 ? (firstPage[5] as unknown[]) : row))
  }),
  'first and last of a page swapped': paged((items, { asked }) =>
    Number(asked.params.offset) > 0 && items.length > 5
      ? [items.at(-1) as unknown[], ...items.slice(1, -1), items[0] as unknown[]]
      : items,
  ),
  'rows swapped inside a page': paged((items) =>
    items.length > 20
      ? [...items.slice(0, 5), items[12] as unknown[], ...items.slice(6, 12), items[5] as unknown[], ...items.slice(13)]
      : items,
  ),
  'has_more at the end of the pages': (sheet) => ({ items: sheet.items, beside: { has_more: true } }),
  'total_count above total': (sheet) => ({ items: sheet.items, outer: { total_count: 9999 } }),
}

export const lies = { partial, words, gaps, snapshots, documents }
