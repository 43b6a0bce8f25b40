import { realClock } from '../data/source/transport/clock.js'
import { say } from './chosen-language.js'
import { log } from './output.js'

/** Milliseconds for which the same line is counted. */
const span = 60_000

/** Lines of a log: one that comes again within a minute of itself is told once more at its end, with how often it came. */
export function countedLines(tell = log, clock = realClock): { tell(text: string): void; end(): void } {
  const more = new Map<string, number>()
  const flush = (text: string): boolean => {
    const times = more.get(text) ?? 0
    if (times > 0) tell(say('line again', { text, times }))
    return times > 0
  }
  const over = new AbortController()
  const watch = async (text: string): Promise<void> => {
    do {
      await clock.sleep(span, over.signal)
    } while (flush(text) && more.set(text, 0))
    more.delete(text)
  }
  return {
    tell: (text) => {
      const before = more.get(text)
      more.set(text, before === undefined ? 0 : before + 1)
      if (before !== undefined) return
      tell(text)
      watch(text).catch(() => undefined)
    },
    end: () => {
      over.abort()
      for (const text of more.keys()) flush(text)
      more.clear()
    },
  }
}
