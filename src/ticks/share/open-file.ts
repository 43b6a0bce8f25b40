import { QuotebookError } from '../../contract/error.js'
import type { LinkedFiles } from '../../source/beside.js'
import { SourceError } from '../../source/error.js'
import { headerOf, tellsLength } from '../../source/transport/headers.js'
import type { HttpStream } from '../../source/transport/http.js'
import { isEndedStatus, shareEnded } from './error.js'
import { followRedirects } from './follow.js'
import { fileAddress } from './names.js'
import type { FolderAddress } from './place.js'
import type { OpenedFile, OpenFileOptions } from './share.js'

const strong = /^"[\x21\x23-\x7e\x80-\xff]*"$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
/** Within a minute of its last change a file may change again unseen: clocks differ, and the header tells seconds. */
const settling = 60_000

/** What proves that a part is of the same file; undefined where nothing does. */
function conditionOf({ etag, strongModified }: OpenFileOptions): string | undefined {
  if (etag !== undefined && strong.test(etag)) return etag
  return strongModified !== undefined && httpDate.test(strongModified) ? strongModified : undefined
}

function settledOf(modified: string, date: string): string | undefined {
  const isOld = Date.parse(date) - Date.parse(modified) >= settling
  return isOld && httpDate.test(modified) ? modified : undefined
}

function lengthOf(answer: HttpStream): number | undefined {
  const text = headerOf(answer.headers, 'content-length')
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/** Bytes of the whole file, by a Content-Range that begins where it should and goes on to the end. */
function totalOf(answer: HttpStream, from: number): number | undefined {
  const text = headerOf(answer.headers, 'content-range')
  const [, first, last, total] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/i.exec(text)?.map(Number) ?? []
  if (first !== from || last === undefined || total === undefined) return undefined
  const length = lengthOf(answer)
  const isWhole = last === total - 1 && (length === undefined || length === total - from)
  return isWhole && Number.isSafeInteger(total) ? total : undefined
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}

interface File {
  readonly day: string
  readonly answer: HttpStream
}

function refuse({ day, answer }: File, why: string): QuotebookError {
  answer.discard()
  return new QuotebookError('FILE', `the file of ${day}: ${answer.node} ${why}`)
}

/** A body that is held against the number of its bytes. */
function measured({ day, answer }: File, expected: number | undefined): AsyncIterable<Uint8Array> {
  if (expected === undefined) return answer.body
  let received = 0
  const inner = answer.body[Symbol.asyncIterator]()
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const taken = await inner.next()
    if (!taken.done) received += taken.value.length
    if (received > expected) {
      throw refuse({ day, answer }, `sends more than the ${expected} bytes that it identity of`)
    }
    if (!taken.done || received === expected) return taken
    const { node, status } = answer
    const message = `the file of ${day}: ${node} sends ${received} bytes where it identity of ${expected}`
    throw new SourceError('CUT_OFF', message, { node, status, retryable: true })
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    answer.discard()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

function openedOf(file: File, from: number, size: number | undefined): OpenedFile {
  const { headers } = file.answer
  const modified = headerOf(headers, 'last-modified')
  return {
    from,
    size,
    framed: tellsLength(headers),
    etag: headerOf(headers, 'etag') || undefined,
    modified: modified || undefined,
    strongModified: settledOf(modified, headerOf(headers, 'date')),
    body: measured(file, size === undefined ? undefined : size - from),
  }
}

/** A part that continues what is there; undefined for one that does not. */
function partOf(file: File, from: number, { etag }: OpenFileOptions): OpenedFile | undefined {
  const { headers } = file.answer
  if (/^multipart\//i.test(headerOf(headers, 'content-type')))
    throw refuse(file, 'sends several parts where one is due')
  const size = totalOf(file.answer, from)
  const identity = headerOf(headers, 'etag')
  const isOther = identity !== '' && etag !== undefined && opaque(identity) !== opaque(etag)
  return size === undefined || isOther ? undefined : openedOf(file, from, size)
}

/**
 * The file of a day in a folder behind HTTP: from where it was broken off if the server proves that it is the same one,
 * else whole.
 * @throws EndedError for 401, 403, 404 and 410; QuotebookError FILE for any other answer that is not the file
 */
export async function openHttpFile(
  beside: LinkedFiles,
  place: FolderAddress,
  day: string,
  options: OpenFileOptions = {},
): Promise<OpenedFile> {
  const { from = 0, signal } = options
  const address = fileAddress(place.folder, day)
  const ask = async (headers: Readonly<Record<string, string>>): Promise<File> => {
    const asked = { address, headers: { ...place.headers, ...headers }, authorization: place.authorization, signal }
    const { answer, authorization } = await followRedirects((to, how) => beside.open(to, how), asked)
    const file = { day, answer }
    if (isEndedStatus(answer.status)) {
      answer.discard()
      throw shareEnded(answer, place.authorization !== authorization)
    }
    if (!/^(identity)?$/i.test(headerOf(answer.headers, 'content-encoding'))) {
      throw refuse(file, 'sends it compressed, which was not asked for')
    }
    return file
  }
  const condition = from > 0 ? conditionOf(options) : undefined
  let file = condition === undefined ? undefined : await ask({ range: `bytes=${from}-`, 'if-range': condition })
  if (file && file.answer.status === 206) {
    const part = partOf(file, from, options)
    if (part) return part
  }
  if (file?.answer.status === 206 || file?.answer.status === 416) {
    file.answer.discard()
    file = undefined
  }
  file ??= await ask({})
  if (file.answer.status === 200) return openedOf(file, 0, lengthOf(file.answer))
  throw refuse(file, `answers with HTTP status ${file.answer.status}`)
}
