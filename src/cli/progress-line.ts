import type { Words } from '../contract/sentence.js'
import { textWidth } from '../frame/show/text-width.js'
import { say } from './chosen-language.js'

/** How far some work is: of how many steps, or bytes. */
export interface ProgressState {
  readonly name: string
  readonly done: number
  readonly of: number
  /** A second; undefined until there is something to say. */
  readonly rate: number | undefined
  /** What comes after the figures; it may be cut. */
  readonly what: string
  /** Steps and rates as text (default: whole numbers). */
  readonly sizeText?: (size: number) => Words
  /** The whole is an estimate. */
  readonly isEstimate?: boolean
}

/** Seconds as people say them, `about 3 min`: of less than a minute fives, so that a line stands still. */
export function aboutTime(seconds: number): string {
  if (seconds <= 55) return say('about {s} s', { s: Math.max(5, Math.ceil(seconds / 5) * 5) })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return say('about {min} min', { min: minutes })
  if (minutes > 72 * 60) return say('about {d} days', { d: Math.ceil(minutes / 1440) })
  const tens = Math.ceil(minutes / 10) * 10
  const [h, min] = [Math.floor(tens / 60), tens % 60]
  return min === 0 ? say('about {h} h', { h }) : say('about {h} h {min} min', { h, min })
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))
const ahead = (text: string, width: number): string => ' '.repeat(Math.max(0, width - textWidth(text))) + text

function rateText(rate: number, sizeText: ProgressState['sizeText']): string {
  if (sizeText) return `${sizeText(rate)}/s`
  if (rate < 0.1) return `${(rate * 60).toFixed(1)}/min`
  return `${rate < 99.95 ? rate.toFixed(1) : Math.round(rate)}/s`
}

/** Columns of `about 23 h 50 min left`, and of `999 bytes/s`. */
const [timeWidth, rateWidth, stepRateWidth] = [22, 11, 8]

/** What is left, by the rate so far; nothing where that says months. */
function leftText({ done, of, rate = 0 }: ProgressState): string {
  const seconds = (of - done) / rate
  return seconds > 0 && seconds < 1e7 ? say('{time} left', { time: aboutTime(seconds) }) : ''
}

function countText({ done, of, sizeText, isEstimate }: ProgressState): string {
  if (!sizeText) return ahead(`${done}/${of}`, 2 * String(of).length + 1)
  return ahead(
    say(isEstimate ? '{done} of about {size}' : '{done} of {size}', { done: sizeText(done), size: sizeText(of) }),
    24,
  )
}

const width = 16

/** A bar, cells of which are full. */
export function barText(done: number, of: number): string {
  const full = Math.round(Math.min(1, Math.max(0, of > 0 ? done / of : 0)) * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}

/** The line of a terminal so many columns wide. Each figure has its own columns, whatever it is: nothing jumps. */
export function progressLine(state: ProgressState, columns: number): string {
  const { name, done, of, rate, what, sizeText } = state
  const shownRate = rate === undefined ? '' : rateText(rate, sizeText)
  const figures = [
    name,
    barText(done, of),
    countText(state),
    ahead(shownRate, sizeText ? rateWidth : stepRateWidth),
    padded(leftText(state), timeWidth),
  ].join(' ')
  let [rest, room] = ['', columns - 1 - textWidth(figures) - 1]
  for (const character of what) {
    room -= textWidth(character)
    if (room < 0) break
    rest += character
  }
  return `${figures} ${rest}`.trimEnd()
}

function rateNote(rate: number, sizeText: ProgressState['sizeText']): string {
  if (sizeText) return rateText(rate, sizeText)
  const [figure = '', unit] = rateText(rate, sizeText).split('/')
  return unit === 's' ? say('{rate}/s', { rate: figure }) : say('{rate}/min', { rate: figure })
}

/** The same for a log, where nothing stands above it. */
export function progressNote(state: ProgressState): string {
  const { name, rate, what, sizeText } = state
  const shownRate = rate === undefined ? '' : rateNote(rate, sizeText)
  const parts = [countText(state).trim(), shownRate, leftText(state), what].filter((part) => part !== '')
  return `${name}${say(': ')}${parts.join(say(', '))}`
}

/** Milliseconds that a rate is taken over: long enough that a request more or less does not move the time left. */
const span = 30_000
/** Milliseconds between two samples of it. */
const step = 250

/** How much comes a second, by what had come at the times that it was asked; undefined until a second has passed. */
export function rateMeter(now: () => number): (come: number) => number | undefined {
  const samples: { readonly at: number; readonly come: number }[] = []
  return (come) => {
    const at = now()
    const last = samples.at(-1)
    if (!last || at - last.at >= step) samples.push({ at, come })
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > span) samples.shift()
    const first = samples[0]
    return first && at - first.at >= 1000 ? ((come - first.come) / (at - first.at)) * 1000 : undefined
  }
}
