import { MultiBar, type Options, type Params, Presets, SingleBar } from 'cli-progress'
import type { Words } from '../contract/sentence.js'
import { fact, sentence } from '../contract/sentence.js'
import { realClock } from '../data/source/transport/clock.js'
import { sizeText } from '../data/ticks/fetch/disk-space.js'
import type { FetchProgress, FileProgress } from '../data/ticks/fetch/fetch-files.js'
import { say } from './chosen-language.js'
import { numbered } from './count-words.js'
import { log, tell } from './output.js'
import { barText, type ProgressState, progressLine, progressNote, rateMeter } from './progress-line.js'

export interface ProgressBar {
  update(done: number, of: number, what: string): void
  stop(): void
}

const steps: Readonly<Record<string, Words>> = {
  days: fact('STEP', 'days'),
  'auction ticks': sentence`auction ticks`,
  checks: sentence`checks`,
}

/** What a step of the work is called; names of datasets stay. */
function stepWord(what: string): string {
  return Object.hasOwn(steps, what) ? say(steps[what] as Words) : what
}

/** Shows the steps of some work on a bar. */
export function stepsOn(progress: ProgressBar): (done: number, of: number, what: string) => void {
  return (done, of, what) => progress.update(done, of, stepWord(what))
}

/** Milliseconds of work before a bar is shown, and in a pipe before a line is, and between two of them. */
const [patience, silence] = [700, 30_000]

const columns = (): number => process.stderr.columns || 80

/** Options of a bar on stderr whose text is made for it. A cursor is hidden where Ctrl-C lets the bar bring it back. */
const barOptions = (format: NonNullable<Options['format']>): Options => ({
  format,
  stream: process.stderr,
  clearOnComplete: true,
  hideCursor: process.listenerCount('SIGINT') > 0,
})

/** How far some work is, on stderr: a bar in a terminal with rate and time left, in a pipe a line at times. @param sizeText of bytes */
export function bar(name: string, sizeText?: (bytes: number) => Words): ProgressBar {
  const since = realClock.now()
  const rate = rateMeter(realClock.now)
  const own = { name, ...(sizeText && { sizeText }) }
  let [state, told, first]: [ProgressState, number, number | undefined] = [
    { ...own, done: 0, of: 0, rate: undefined, what: '' },
    since,
    undefined,
  ]
  const format = (): string => progressLine({ ...state, rate: rate(state.done - (first ?? 0)) }, columns())
  const isTerminal = process.stderr.isTTY
  const single = isTerminal ? new SingleBar(barOptions(format), Presets.shades_classic) : undefined
  let started = false
  return {
    update(done, of, what) {
      // What was there at the beginning, of a checkpoint say, did not come in this time.
      first ??= done
      const now = realClock.now()
      state = { ...own, done, of, what, rate: rate(done - first) }
      if (!single) {
        if (now - told < silence) return
        told = now
        return log(progressNote(state))
      }
      if (!started && now - since < patience) return
      if (!started) single.start(of, done)
      started = true
      single.setTotal(of)
      single.update(done)
    },
    stop() {
      if (started) single?.stop()
      started = false
    },
  }
}

/** Shows the requests of a query on a bar: a query may take more than were known of. */
export function queryOn(progress: ProgressBar): (at: { done: number; of: number; what: string }) => void {
  return ({ done, of, what }) => progress.update(Math.min(done, of), of, what)
}

/** Does something under a bar, which goes with it. */
export async function withBar<T>(name: string, work: (progress: ProgressBar) => Promise<T>): Promise<T> {
  const progress = bar(name)
  try {
    return await work(progress)
  } finally {
    progress.stop()
  }
}

interface FetchBars {
  update(progress: FetchProgress): void
  stop(): void
}

/** What the whole has come to. */
function wholeOf(
  { files, done, bytes, isExact, bytesDone }: FetchProgress,
  year: number,
  rate?: number,
): ProgressState {
  const come = bytes > 0 ? Math.min(bytesDone, bytes) : 0
  const name = `${year}: ${String(done).padStart(String(files).length)}/${numbered(files, 'file')}`
  return { name, done: come, of: bytes, rate, what: '', sizeText, isEstimate: !isExact }
}

function comingText({ day, length, size }: FileProgress): string {
  const done = sizeText(length)
  const come = size === undefined ? done : say('{done} of {size}', { done, size: sizeText(size) })
  return `${barText(length, size ?? 0)} ${day} ${come.padStart(24)}`
}

/** A bar for the whole, and one for each file that is coming. */
function onTerminal(year: number): FetchBars {
  const rate = rateMeter(realClock.now)
  const format = (_: Options, __: Params, { what }: { readonly what: string }): string => what
  const multi = new MultiBar(barOptions(format), Presets.shades_classic)
  let whole: SingleBar | undefined
  let last: FetchProgress | undefined
  const slots: { readonly bar: SingleBar; day: string }[] = []

  function slotOf(day: string): SingleBar {
    const slot = slots.find((one) => one.day === day) ?? slots.find((one) => one.day === '')
    if (slot) {
      slot.day = day
      return slot.bar
    }
    const bar = multi.create(1, 0, { what: '' })
    slots.push({ bar, day })
    return bar
  }

  function show(progress: FetchProgress): void {
    const { files, received, active } = progress
    if (files === 0) return
    whole ??= multi.create(1, 0, { what: '' })
    whole.update(0, { what: progressLine(wholeOf(progress, year, rate(received)), columns()) })
    const now = new Set(active.map(({ day }) => day))
    for (const slot of slots) {
      if (now.has(slot.day)) continue
      slot.day = ''
      slot.bar.update(0, { what: '' })
    }
    for (const one of active) slotOf(one.day).update(0, { what: comingText(one) })
  }

  // A rate falls also while nothing comes.
  const timer = setInterval(() => last && show(last), 1000).unref()
  return {
    update(progress) {
      last = progress
      show(progress)
    },
    stop() {
      clearInterval(timer)
      multi.stop()
    },
  }
}

/** A line at the beginning, and for each tenth part of the files. */
function inPipe(year: number, dest: string): FetchBars {
  let tenths = -1
  const rate = rateMeter(realClock.now)
  return {
    update(progress) {
      const { files, done, bytes, isExact, received } = progress
      if (files === 0) return
      const own = rate(received)
      if (tenths < 0)
        tell(isExact ? '{year}: {files}, {size}, to fetch into {dest}' : '{year}: {files} to fetch into {dest}', {
          year,
          files: numbered(files, 'file'),
          size: sizeText(bytes),
          dest,
        })
      const now = Math.floor((done * 10) / files)
      if (tenths >= 0 && now > tenths && done < files) log(progressNote(wholeOf(progress, year, own)))
      tenths = Math.max(tenths, now, 0)
    },
    stop: () => undefined,
  }
}

/** How far fetching a year is, on stderr: bars in a terminal, plain lines in a pipe. */
export function fetchBars(year: number, dest: string): FetchBars {
  return process.stderr.isTTY ? onTerminal(year) : inPipe(year, dest)
}
