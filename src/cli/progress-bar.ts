import { MultiBar, type Options, type Params, Presets, SingleBar } from 'cli-progress'
import { realClock } from '../data/source/transport/clock.js'
import { sizeText } from '../data/ticks/fetch/disk-space.js'
import type { FetchProgress, FileProgress } from '../data/ticks/fetch/fetch-files.js'
import { say } from './chosen-language.js'
import { numbered } from './count-words.js'
import { log } from './output.js'

export interface ProgressBar {
  update(done: number, of: number, what: string): void
  stop(): void
}

const steps = ['days', 'auction ticks', 'checks'] as const

/** What a step of the work is called; names of datasets stay. */
function stepWord(what: string): string {
  const known = steps.find((one) => one === what)
  return known ? say(known) : what
}

/** Shows the steps of some work on a bar. */
export function stepsOn(progress: ProgressBar): (done: number, of: number, what: string) => void {
  return (done, of, what) => progress.update(done, of, stepWord(what))
}

/** Milliseconds of work before a bar that tells the time left is shown. */
const patience = 2000

/** A bar on stderr in a terminal; silent in a pipe. Where the time left is wanted, it comes when some work has shown how long it takes. */
export function bar(name: string, hasTimeLeft = false): ProgressBar {
  const since = realClock.now()
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  const format = `${name} {bar} {value}/{total} ${hasTimeLeft ? '{eta_formatted}' : '{what}'}`
  const single = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  )
  let started = false
  return {
    update(done, of, what) {
      if (!started && hasTimeLeft && realClock.now() - since < patience) return
      if (!started) single.start(of, done, { what })
      started = true
      single.setTotal(of)
      single.update(done, { what })
    },
    stop() {
      if (started) single.stop()
    },
  }
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

/** Milliseconds that a rate is taken over. */
const window = 5000
/** Milliseconds between two samples of it. */
const step = 250

/** Seconds as people say them, `2 min 5 s`. */
export function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return say('seconds', { s: whole })
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? say('minutes', { min: minutes, s: whole % 60 })
    : say('hours', { h: Math.floor(minutes / 60), min: minutes % 60 })
}

/** Bytes a second over the last moments; undefined until there is something to say. */
function rateMeter(now: () => number): (received: number) => number | undefined {
  const samples: { readonly at: number; readonly received: number }[] = []
  return (received) => {
    const at = now()
    const last = samples.at(-1)
    if (!last || at - last.at >= step) samples.push({ at, received })
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > window) samples.shift()
    const first = samples[0]
    return first && at - first.at >= step ? ((received - first.received) / (at - first.at)) * 1000 : undefined
  }
}

/** What the whole has come to, in words. */
function wholeText({ files, done, bytes, isExact, bytesDone }: FetchProgress, rate: number | undefined): string {
  const come = { done: sizeText(bytesDone), size: sizeText(bytes) }
  const parts = [
    `${done}/${numbered(files, 'file')}`,
    bytes > 0 ? say(isExact ? 'size of' : 'size of about', come) : sizeText(bytesDone),
  ]
  if (rate !== undefined) parts.push(`${sizeText(rate)}/s`)
  if (rate !== undefined && rate > 0 && bytes > bytesDone)
    parts.push(say('time left', { time: timeText((bytes - bytesDone) / rate) }))
  return parts.join(', ')
}

function comingText({ day, length, size }: FileProgress): string {
  const done = sizeText(length)
  return `${day}  ${size === undefined ? done : say('size of', { done, size: sizeText(size) })}`
}

const width = 24

/** A bar and what it says; nothing where no file is. */
function barText(_: Options, { progress }: Params, { what }: { readonly what: string }): string {
  const full = Math.round(Math.min(1, Math.max(0, progress)) * width)
  return what === '' ? '' : `${'█'.repeat(full)}${'░'.repeat(width - full)} ${what}`
}

/** A bar for the whole, and one for each file that is coming. */
function onTerminal(year: number): FetchBars {
  const rate = rateMeter(realClock.now)
  const multi = new MultiBar(
    { format: barText, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  )
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
    const { files, done, bytes, bytesDone, received, active } = progress
    if (files === 0) return
    whole ??= multi.create(1, 0, { what: '' })
    const what = `${year}: ${wholeText(progress, rate(received))}`
    whole.setTotal(bytes > 0 ? bytes : files)
    whole.update(bytes > 0 ? Math.min(bytesDone, bytes) : done, { what })
    const now = new Set(active.map(({ day }) => day))
    for (const slot of slots) {
      if (now.has(slot.day)) continue
      slot.day = ''
      slot.bar.update(0, { what: '' })
    }
    for (const one of active) {
      const bar = slotOf(one.day)
      bar.setTotal(Math.max(1, one.size ?? one.length))
      bar.update(one.length, { what: comingText(one) })
    }
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
  return {
    update(progress) {
      const { files, done, bytes, isExact } = progress
      if (files === 0) return
      if (tenths < 0)
        log(
          say(isExact ? 'size to fetch' : 'to fetch', {
            year,
            files: numbered(files, 'file'),
            size: sizeText(bytes),
            dest,
          }),
        )
      const now = Math.floor((done * 10) / files)
      if (tenths >= 0 && now > tenths && done < files) log(`${year}: ${wholeText(progress, undefined)}`)
      tenths = Math.max(tenths, now, 0)
    },
    stop: () => undefined,
  }
}

/** How far fetching a year is, on stderr: bars in a terminal, plain lines in a pipe. */
export function fetchBars(year: number, dest: string): FetchBars {
  return process.stderr.isTTY ? onTerminal(year) : inPipe(year, dest)
}
