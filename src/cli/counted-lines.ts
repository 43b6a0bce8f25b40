import { realClock } from '../data/source/transport/clock.js'
import { say } from './chosen-language.js'
import { log } from './output.js'

/** Milliseconds for which the same line is counted. */
const span = 60_000

/** Lines of a log. What comes again within a minute is told at its end, with how often it came; at once when the signal aborts. */
export function countedLines(signal: AbortSignal, tell = log, clock = realClock): (text: string) => void {
  const counts = new Map<string, number>()
  return (text) => {
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    if (before > 0) return
    tell(text)
    const flush = (): void => {
      const times = counts.get(text) ?? 1
      counts.delete(text)
      if (times > 1) tell(say('{text} ({times} times in 1 minute)', { text, times }))
    }
    clock.sleep(span, signal).then(flush, flush)
  }
}
