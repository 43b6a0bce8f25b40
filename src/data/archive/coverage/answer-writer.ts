import { realClock } from '../../source/transport/clock.js'
import { type ArchiveStore, retryOnConflict } from '../store/archive-store.js'
import { type ArchivePlace, storeOf } from '../store/store-of.js'
import { ArchiveWriter } from '../writer.js'

/** What puts an answer into an archive that is open for writing. */
export type PutAnswer = (writer: ArchiveWriter) => Promise<void>

/** An answer that may wait for others, so that they are committed in one step. */
export interface WaitingAnswer {
  readonly put: PutAnswer
  /** Bytes that it holds meanwhile. */
  readonly bytes: number
  /** Called when it is in the archive. */
  readonly onStored: () => Promise<void>
}

interface Waiting extends WaitingAnswer {
  /** Milliseconds that it may wait. */
  readonly patience: number
  readonly failed: (error: unknown) => void
}

interface AnswerWriterOptions {
  /** Milliseconds that another writer is waited for. */
  readonly waitMs?: number | undefined
  /** What the source says of itself: that it is synthetic, say; the archive says so from then on. */
  readonly about?: string | undefined
  /** Ends the wait for another writer; a commit that has begun is ended well. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds that answers wait at most, and bytes of them. */
const [patience, mostBytes] = [1000, 2 ** 25]

/** Commits answers one after the other; those that wait, in one step. */
export class AnswerWriter {
  readonly #store: ArchiveStore
  readonly #waitMs: number | undefined
  readonly #about: string | undefined
  readonly #signal: AbortSignal | undefined
  readonly #revisions = new Map<string, number>()
  #waiting: Waiting[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  /** When the answers that wait are committed at the latest. */
  #due = Number.POSITIVE_INFINITY
  #writing: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(place: ArchivePlace, { waitMs, about, signal }: AnswerWriterOptions = {}) {
    this.#store = storeOf(place)
    this.#waitMs = waitMs
    this.#about = about
    this.#signal = signal
  }

  /** Rows of settled days, or known by themselves, that were seen to have changed since, by dataset. */
  get revisions(): ReadonlyMap<string, number> {
    return this.#revisions
  }

  /** Ends when the answer is in the archive. @throws QuotebookError ARCHIVE_BUSY when another process is writing all the while */
  put(put: PutAnswer): Promise<void> {
    return new Promise((done, failed) => {
      this.#add({ put, patience: 0, bytes: 0, onStored: async () => done(), failed })
    })
  }

  /** Ends when there is room for another answer. @throws why an answer before could not be stored */
  async putLater(answer: WaitingAnswer): Promise<void> {
    const failed = (error: unknown): void => {
      this.#failure ??= { error }
    }
    this.#add({ ...answer, patience, failed })
    if (this.#bytes >= mostBytes) await this.flush()
    if (this.#failure) throw this.#failure.error
  }

  /** Ends when all answers are in the archive. @throws why one of `putLater` could not be stored */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing) await this.#begin()
    if (this.#failure) throw this.#failure.error
  }

  #add(answer: Waiting): void {
    this.#waiting.push(answer)
    this.#bytes += answer.bytes
    const due = realClock.now() + answer.patience
    if (due >= this.#due) return
    this.#due = due
    this.#schedule()
  }

  #schedule(): void {
    if (this.#writing || this.#waiting.length === 0) return
    clearTimeout(this.#timer)
    const wait = this.#due - realClock.now()
    if (wait <= 0) void this.#begin()
    else this.#timer = setTimeout(() => this.#begin(), wait)
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer)
    this.#writing ??= this.#writeWaiting()
    return this.#writing
  }

  async #writeWaiting(): Promise<void> {
    this.#bytes = 0
    this.#due = Number.POSITIVE_INFINITY
    await this.#write(this.#waiting.splice(0))
    this.#writing = undefined
    this.#schedule()
  }

  /** What fails together is tried apart, so that none fails for another. */
  async #write(all: readonly Waiting[]): Promise<void> {
    let writer: ArchiveWriter
    try {
      writer = await retryOnConflict(this.#store, () => this.#commit(all))
    } catch (error) {
      if (all.length === 1) all[0]?.failed(error)
      else for (const one of all) await this.#write([one])
      return
    }
    for (const [name, rows] of writer.revisions) this.#revisions.set(name, (this.#revisions.get(name) ?? 0) + rows)
    for (const { onStored, failed } of all) await onStored().catch(failed)
  }

  async #commit(all: readonly Waiting[]): Promise<ArchiveWriter> {
    const writer = await ArchiveWriter.open(this.#store, this.#about, this.#waitMs, this.#signal)
    try {
      for (const { put } of all) await put(writer)
    } catch (error) {
      await writer.abort()
      throw error
    }
    await writer.commit()
    return writer
  }
}
