import { type ArchiveStore, retryOnConflict } from '../store/archive-store.js'
import { type ArchivePlace, storeOf } from '../store/store-of.js'
import { ArchiveWriter } from '../writer.js'

/** What puts an answer into an archive that is open for writing. */
export type PutAnswer = (writer: ArchiveWriter) => Promise<void>

interface Waiting {
  readonly put: PutAnswer
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Commits answers one after the other; those that wait while another is written, in one step. */
export class AnswerWriter {
  readonly #store: ArchiveStore
  readonly #waitMs: number | undefined
  readonly #about: string | undefined
  #waiting: Waiting[] = []
  #isWriting = false

  /** @param about what the source says of itself: that it is synthetic, say; the archive says so from then on */
  constructor(
    place: ArchivePlace,
    { waitMs, about }: { readonly waitMs?: number | undefined; readonly about?: string | undefined } = {},
  ) {
    this.#store = storeOf(place)
    this.#waitMs = waitMs
    this.#about = about
  }

  /** Ends when the answer is in the archive. @throws QuotebookError ARCHIVE_BUSY when another process is writing all the while */
  put(put: PutAnswer): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ put, done, failed })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0))
    this.#isWriting = false
  }

  /** What fails together is tried apart, so that none fails for another. */
  async #write(all: readonly Waiting[]): Promise<void> {
    try {
      await retryOnConflict(this.#store, () => this.#commit(all))
      for (const { done } of all) done()
    } catch (error) {
      if (all.length === 1) all[0]?.failed(error)
      else for (const one of all) await this.#write([one])
    }
  }

  async #commit(all: readonly Waiting[]): Promise<void> {
    const writer = await ArchiveWriter.open(this.#store, this.#about, this.#waitMs)
    try {
      for (const { put } of all) await put(writer)
    } catch (error) {
      await writer.abort()
      throw error
    }
    await writer.commit()
  }
}
