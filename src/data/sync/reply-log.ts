import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writevSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwritten } from '../../contract/error.js'
import { sha256 } from '../archive/file-access.js'
import type { HttpResponse } from '../source/transport/http-stream.js'

const ending = '.replies'
/** Bytes of a file after which the next one is begun. */
const enough = 2 ** 24

/** The line before the bytes of a reply. */
interface Head<A> {
  readonly about: A
  readonly name: string
  readonly reply: Omit<HttpResponse, 'bytes'>
  readonly length: number
  readonly sha256: string
}

interface LeftReply<A> {
  readonly head: Head<A>
  readonly bytes: Uint8Array
}

interface LogFile {
  readonly path: string
  readonly file: number
  size: number
  /** Those who need replies in it. */
  readonly owners: Set<object>
}

/** The replies in a file, up to one that was not written whole. */
function* repliesIn<A>(bytes: Buffer): Generator<LeftReply<A>> {
  let at = 0
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
    let head: Head<A>
    try {
      head = JSON.parse(bytes.toString('utf8', at, end))
      at = end + 1 + head.length
    } catch {
      return
    }
    if (!(at > end && at <= bytes.length)) return
    yield { head, bytes: bytes.subarray(end + 1, at) }
  }
}

/**
 * Replies one after the other in a few files, so that a single call keeps one. A file goes when nobody needs what is in it.
 * Replies are compared with a checksum when they are taken.
 */
export class ReplyLog<A> {
  readonly #dir: string
  /** What an earlier process left, by name. */
  readonly #left = new Map<string, LeftReply<A>>()
  #files: LogFile[] = []

  private constructor(dir: string) {
    this.#dir = dir
  }

  /** @param isValid what of an earlier process counts */
  static async open<A>(dir: string, isValid: (about: A) => boolean): Promise<ReplyLog<A>> {
    const log = new ReplyLog<A>(dir)
    const names = await readdir(dir).catch(() => [])
    for (const name of names.filter((one) => one.endsWith(ending))) {
      const bytes = await readFile(join(dir, name)).catch(() => Buffer.of())
      for (const one of repliesIn<A>(bytes)) if (isValid(one.head.about)) log.#left.set(one.head.name, one)
    }
    return log
  }

  /** A reply of an earlier process, once. */
  take(name: string): { readonly about: A; readonly reply: HttpResponse } | undefined {
    const found = this.#left.get(name)
    this.#left.delete(name)
    if (!found || sha256(found.bytes) !== found.head.sha256) return undefined
    return { about: found.head.about, reply: { ...found.head.reply, bytes: found.bytes } }
  }

  /** At once: handed to threads, the calls take many times as long. @throws the error of the file system */
  keep(owner: object, name: string, about: A, { bytes, ...reply }: HttpResponse): void {
    const head: Head<A> = { about, name, reply, length: bytes.length, sha256: sha256(bytes) }
    const log = this.#current()
    log.owners.add(owner)
    try {
      log.size += writevSync(log.file, [Buffer.from(`${JSON.stringify(head)}\n`), bytes])
    } catch (cause) {
      throw unwritten(log.path, cause)
    }
  }

  #current(): LogFile {
    const last = this.#files.at(-1)
    if (last && last.size < enough) return last
    mkdirSync(this.#dir, { recursive: true })
    const path = join(this.#dir, `${randomBytes(6).toString('hex')}${ending}`)
    const made = { path, file: openSync(path, 'ax'), size: 0, owners: new Set<object>() }
    this.#files.push(made)
    return made
  }

  /** Lets go of what somebody kept. */
  drop(owner: object): void {
    const others: LogFile[] = []
    for (const log of this.#files) {
      const isOwn = log.owners.delete(owner)
      if (!isOwn || log.owners.size > 0) {
        others.push(log)
        continue
      }
      closeSync(log.file)
      rmSync(log.path, { force: true })
    }
    this.#files = others
  }

  close(): void {
    for (const { file } of this.#files) closeSync(file)
    this.#files = []
  }
}
