import type { TickEntry } from '../../archive/manifest.js'
import type { Attempted, FileFacts, KeyFacts, RowCount } from './facts.js'
import type { CheckMark, CheckResults, TickCheckName, TickFinding } from './finding.js'
import type { ExpectedFile } from './folder.js'

/** What became of a file: what was found out, and why the reading ended before its end. */
export interface InspectedFile extends ExpectedFile {
  readonly facts: FileFacts
  readonly failure: string | undefined
}

interface Book {
  fault(check: TickCheckName, what: string): void
  note(check: TickCheckName, what: string): void
  made(check: TickCheckName): void
  notMade(check: TickCheckName, why: string): void
}

const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

function judgeBytes({ facts, entry, failure }: InspectedFile, book: Book): void {
  const { bytes, sha256, magic } = facts
  if (bytes === undefined || sha256 === undefined || magic === undefined) {
    book.fault('file', failure ?? 'it was not read')
    return
  }
  book.made('file')
  const noEntry = 'there is no manifest'
  const compare = (check: 'size' | 'sha256', of: (entry: TickEntry) => string, found: string): void => {
    if (!entry) book.notMade(check, noEntry)
    else if (of(entry) === found) book.made(check)
    else book.fault(check, `it is ${found}, the manifest says ${of(entry)}`)
  }
  compare('size', (entry) => some(entry.bytes, 'byte'), some(bytes, 'byte'))
  compare('sha256', (entry) => entry.sha256, sha256)
  const cut = magic.head && !magic.tail ? '; it may be cut, or still being written' : ''
  if (magic.head && magic.tail) book.made('magic')
  else book.fault('magic', `it does not ${magic.head ? 'end' : 'begin'} with PAR1${cut}`)
}

/** Whether there is a footer to go by. */
function judgeFooter({ facts, failure }: InspectedFile, book: Book): boolean {
  const { footer, pages } = facts
  if (footer !== null || !pages) {
    book.fault('footer', footer ?? failure ?? 'it was not read')
    return false
  }
  book.made('footer')
  if (pages.wrong > 0) {
    const more = pages.wrong > 1 ? ` and ${pages.wrong - 1} more` : ''
    book.fault('crc', `${pages.first}${more} is not what its checksum says`)
  } else if (pages.lost !== undefined) book.note('crc', `its pages can not be followed: ${pages.lost}`)
  else if (pages.checked < pages.pages || pages.pages === 0) book.notMade('crc', 'its pages carry no checksums')
  else book.made('crc')
  return true
}

function judgeDecoded({ facts, failure }: InspectedFile, book: Book): boolean {
  const { broken, at = 0, groups = 0 } = facts
  if (broken === undefined) {
    const where = at > 0 ? `row group ${at} of ${groups}: ` : ''
    book.fault('decode', `${where}${failure ?? 'it was not decoded'}`)
    return false
  }
  if (broken.groups === 0) book.made('decode')
  else book.fault('decode', `${broken.groups} of ${some(groups, 'row group')} can not be decoded; ${broken.first}`)
  return true
}

function judgeRows({ facts, entry }: InspectedFile, book: Book): void {
  const { counted = 0, decoded = 0, broken, bounds } = facts
  if (entry && entry.rows !== counted)
    book.fault('rows', `it counts ${some(counted, 'row')}, the manifest ${entry.rows}`)
  else if (broken?.groups === 0 && counted !== decoded)
    book.fault('rows', `it counts ${some(counted, 'row')} and holds ${decoded}`)
  else if (broken?.groups !== 0) book.notMade('rows', 'not all row groups can be decoded')
  else if (counted === 0) book.fault('rows', 'it has no rows')
  else book.made('rows')
  const [wrong] = bounds?.wrong ?? []
  if (wrong !== undefined) {
    const more = (bounds?.wrong.length ?? 0) - 1
    book.fault('bounds', `${wrong}${more > 0 ? `, and ${more} more` : ''}`)
  } else if (!bounds?.checked) book.notMade('bounds', 'its footer tells none that can be held against cells')
  else book.made('bounds')
}

function outcome<T>(
  book: Book,
  check: TickCheckName,
  found: Attempted<T> | undefined,
  tell: (facts: T) => boolean,
): void {
  if (!found) book.notMade(check, 'its reader did not come so far')
  else if (typeof found === 'object' && found !== null && 'notMade' in found) book.notMade(check, found.notMade)
  else if (tell(found as T)) book.made(check)
}

const many = ({ rows, first }: RowCount): string => `${some(rows, 'row')}, the first: ${first}`

function judgeKey(key: Attempted<KeyFacts> | undefined, book: Book): void {
  outcome(book, 'order', key, ({ unsorted, byTime }) => {
    if (unsorted === undefined) return true
    const other = byTime ? '; they are sorted by (time, symbol)' : ''
    book.note('order', `row ${unsorted} is not in the order of (symbol, time)${other}`)
    return false
  })
  outcome(book, 'duplicate', key, ({ columns, repeated, differing }) => {
    const of = `(${columns.join(', ')})`
    if (repeated) book.fault('duplicate', `rows that stand before, equal in all columns: ${many(repeated)}`)
    if (differing)
      book.fault('duplicate', `rows with a key ${of} that stands before, and other cells: ${many(differing)}`)
    return !repeated && !differing
  })
}

const keyColumns = ['tradedate', 'symbol', 'time']

function judgeCells({ columns = [], key, time }: FileFacts, book: Book): void {
  const unread = columns.find((column) => column.unread !== undefined)
  const why = columns.length === 0 ? 'there are no rows to look at' : undefined
  const lack = unread && `the cells of ${unread.name} (${unread.type}) can not be looked at: ${unread.unread}`
  const missing = columns.filter(({ name, nulls }) => keyColumns.includes(name) && nulls > 0)
  for (const { name, nulls } of missing) book.fault('null', `${name} is missing in ${some(nulls, 'row')}`)
  const noKey = [key, time].find((found) => found !== undefined && 'notMade' in found) as
    | { notMade: string }
    | undefined
  if (why ?? noKey) book.notMade('null', why ?? noKey?.notMade ?? '')
  else if (missing.length === 0) book.made('null')
  const odd = columns.filter(({ nan, infinite }) => nan + infinite > 0)
  for (const { name, nan, infinite } of odd) {
    if (infinite > 0) book.fault('number', `${name} is infinite in ${some(infinite, 'row')}`)
    if (nan > 0) book.note('number', `${name} is NaN in ${some(nan, 'row')}; they read as missing`)
  }
  if (lack !== undefined) book.fault('decode', lack)
  if (why ?? lack) book.notMade('number', why ?? lack ?? '')
  else if (odd.length === 0) book.made('number')
}

function judgeContent(looked: InspectedFile, book: Book): void {
  const { facts } = looked
  judgeRows(looked, book)
  outcome(book, 'day', facts.day, ({ other }) => {
    if (other) book.fault('day', `tradedate is another day in ${many(other)}`)
    return !other
  })
  outcome(book, 'time', facts.time, ({ forms, wrong, elsewhere }) => {
    if (wrong) book.fault('time', `time is no time in ${many(wrong)}`)
    if (elsewhere) book.fault('time', `time is of another day in ${many(elsewhere)}`)
    if (forms.length > 1) book.note('time', `times are written in ${forms.length} ways: ${forms.join(', ')}`)
    return !wrong && !elsewhere
  })
  judgeCells(facts, book)
  judgeKey(facts.key, book)
}

const afterBytes = ['size', 'sha256', 'magic', 'footer'] as const
const afterFooter = ['crc', 'decode'] as const
const afterDecode = ['rows', 'bounds', 'day', 'time', 'null', 'number', 'order', 'duplicate'] as const

/** What is wrong with a file, and what was not looked at and why. Schemas are compared elsewhere. */
export function checkFile(looked: InspectedFile): CheckResults {
  const findings: TickFinding[] = []
  const marks = new Map<TickCheckName, CheckMark>()
  const { day, file, facts, failure } = looked
  const found = (severity: TickFinding['severity']) => (check: TickCheckName, what: string) => {
    findings.push({ day, file, check, severity, what })
    marks.set(check, { check, notMade: undefined })
  }
  const book: Book = {
    fault: found('fault'),
    note: found('note'),
    made: (check) => void marks.set(check, { check, notMade: undefined }),
    notMade: (check, why) => void (marks.has(check) || marks.set(check, { check, notMade: why })),
  }
  const none = (names: readonly TickCheckName[], why: string): void => {
    for (const check of names) book.notMade(check, why)
  }
  judgeBytes(looked, book)
  if (facts.magic && judgeFooter(looked, book)) {
    if (judgeDecoded(looked, book)) judgeContent(looked, book)
    if (facts.broken !== undefined && failure !== undefined) book.fault('decode', failure)
  }
  none(afterBytes, 'the file can not be read')
  if (facts.footer !== null) none([...afterFooter, ...afterDecode], 'its footer can not be read')
  none(afterDecode, 'it can not be decoded')
  return { findings, marks: [...marks.values()] }
}
