import { aboutText, sourceText } from '../../contract/dataset-text.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import { printable } from '../../frame/show/cell-text.js'
import { day } from './format-number.js'
import { badge, type Html, type HtmlPart, html, outside } from './html.js'

/** Whether something speaks for a result, and what is said of it; nothing where there is nothing to say. */
export type Said = readonly [state: 'holds' | 'fails' | 'unknown', said: HtmlPart] | undefined

/** Texts under each other; nothing of none. */
export function saidLines(texts: readonly string[]): Said {
  const lines = texts.map((text, at) => html`${at > 0 && html`<br>`}<bdi>${text}</bdi>`)
  return lines.length === 0 ? undefined : ['unknown', lines]
}

/** How many lines are in each state, as badges. */
function countsOf(said: readonly Said[], words: Readonly<Record<NonNullable<Said>[0], string>>): Html[] {
  return (['holds', 'fails', 'unknown'] as const).flatMap((state) => {
    const { length } = said.filter((one) => one?.[0] === state)
    return length === 0 ? [] : [html` ${badge(state, `${length} ${words[state]}`)}`]
  })
}

/**
 * A box of what is to be minded, which opens from the line that counts it: by line what it is about, and what is said of it.
 * @param fatal lines by which, if one of them fails, nothing on the page may be believed: the box is open then
 */
export function honestyBox(
  say: Say,
  said: readonly (readonly [id: string, what: string, said: Said])[],
  fatal: readonly string[] = [],
): Html {
  const words = { holds: say('in order'), fails: say('mind this'), unknown: say(fact('HONESTY_BOX', 'note')) }
  const isOpen = said.some(([id, , own]) => own?.[0] === 'fails' && fatal.includes(id))
  const lines = said.map(
    ([id, what, own]) =>
      own &&
      html`<li data-item="${id}"><span class="what">${what}</span><p>${badge(own[0], words[own[0]])} ${own[1]}</p></li>
`,
  )
  const counts = countsOf(
    said.map(([, , own]) => own),
    words,
  )
  return html`<section class="honesty" aria-labelledby="honesty-heading">
<details class="believe"${isOpen && html` open`}><summary><h2 id="honesty-heading">${say('Before you believe it')}</h2>${counts}</summary>
<ul>
${lines}</ul>
</details></section>
`
}

/** Where the data of a page came from, and what a reader must know of it first: that it is synthetic, say. */
export interface PageSource {
  readonly name: string
  readonly about?: string | undefined
  readonly state?: string | undefined
}

/** What the head of a page says, beside what all say. */
interface PageHead {
  /** What kind of page it is. */
  readonly kicker: string
  readonly title: string
  readonly source?: PageSource | undefined
  /** What came of it, in a sentence. */
  readonly lead?: HtmlPart
  readonly tiles?: readonly HtmlPart[]
  readonly facts?: readonly (readonly [name: string, value: HtmlPart])[]
  readonly hash?: readonly [name: string, sha256: string] | undefined
  readonly caveats?: Html
}

/** A title as it is given, or another. */
export function titleOr(title: string | undefined, other: string): string {
  return printable(title ?? '').trim() || other
}

/** From the first day to the last. */
export function daySpan(say: Say, first: string | undefined, last: string | undefined): string {
  return first === last ? day(first) : say`${day(first)} to ${day(last)}`
}

/** What must be known of the source of a page first. */
export function sourceAbout(say: Say, about: string | undefined): HtmlPart {
  return about !== undefined && html`<p class="about"><strong>${outside(aboutText(about, say.language))}</strong></p>\n`
}

/** A figure of the first screen: its name, its value, and what is said below it. */
export function headTile(name: string, value: Html, below?: string): Html {
  return html`<li><span>${name}</span>${value}${below !== undefined && html`<small>${below}</small>`}</li>`
}

/** The numbers of the last days as a line, this one at its end; nothing of fewer than three. */
export function sparkline(values: readonly number[], tag: 'dd' | 'span'): Html | false {
  if (values.length < 3) return false
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (at: number): string => ((100 * at) / (values.length - 1)).toFixed(1)
  const y = (value: number): string => (high > low ? 22 - (20 * (value - low)) / (high - low) : 12).toFixed(1)
  const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ')
  const drawn = html`<svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline points="${points}"/></svg>`
  return tag === 'dd' ? html`<dd class="spark">${drawn}</dd>` : html`<span class="spark">${drawn}</span>`
}

/** The parts of a page that are its own: its first screen begins with the header, and ends with where it came from at the foot. */
export interface PageTop {
  readonly header: Html
  readonly caveats?: Html | undefined
  readonly facts?: Html | undefined
}

/** The head of a page, its title, what came of it and its first figures; its caveats; and for its foot where it came from. */
export function pageTop(say: Say, head: PageHead): PageTop {
  const { kicker, title, source, lead, tiles = [], facts = [], hash, caveats } = head
  const from = source && [say('Source'), outside(sourceText(source.name, say.language))]
  const rows = [...facts, ...(from ? [from] : []), [say('Made by'), `Quotebook ${version}`]] as const
  const header = html`<header>
<p class="kicker">${kicker}</p>
<h1><bdi>${title}</bdi></h1>
${sourceAbout(say, source?.about)}${
  lead !== undefined &&
  html`<p class="lead">${lead}</p>
`
}${
  tiles.length > 0 &&
  html`<ul class="tiles">${tiles}</ul>
`
}</header>
`
  const made = html`<dl>
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}${hash && html`<div class="whole"><dt>${hash[0]}</dt><dd class="hash"><code>${hash[1]}</code></dd></div>\n`}</dl>
`
  return { header, caveats, facts: made }
}
