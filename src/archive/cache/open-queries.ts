/** The earlier of two days; undefined where one of them is not known. */
function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined
  return a < b ? a : b
}

/**
 * Queries that are under way. A source sends one request for two that are alike: rows may be as old as the oldest
 * question that is still open, and are settled by the latest day that was known when that one was put.
 */
export class OpenQueries {
  readonly #open = new Map<string, Set<{ readonly latest: string | undefined }>>()

  /** Runs an action while its question counts as open. */
  async run<T>(name: string, latest: string | undefined, action: () => Promise<T>): Promise<T> {
    const mark = { latest }
    const marks = this.#open.get(name) ?? new Set()
    this.#open.set(name, marks.add(mark))
    try {
      return await action()
    } finally {
      marks.delete(mark)
    }
  }

  /** The latest day that was known when the oldest of the open questions was put, or now. */
  settledBy(names: readonly string[], latest: string | undefined): string | undefined {
    const marks = names.flatMap((name) => [...(this.#open.get(name) ?? [])])
    return marks.reduce((day, mark) => earlier(day, mark.latest), latest)
  }
}
