import { ParamsError, QuotebookError } from '../../contract/error.js'
import type { Say } from '../../contract/say.js'
import { isFact, sentence } from '../../contract/sentence.js'
import { sha256 } from '../../data/archive/file-access.js'
import { sortedKeys } from '../../data/archive/manifest.js'
import { overspent } from './budgeted-market.js'
import { budget, type Given, mostShown, type ToolAnswer } from './tool.js'

/** Tokens of a text, by a rule that needs no model: four characters of ASCII are one, and every other character is one. */
export function tokensOf(text: string): number {
  const wide = text.match(/[\u0080-\uffff]/g)?.length ?? 0
  return Math.ceil((text.length - wide) / 4) + wide
}

const headOf = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`

/** Lengths of lists and texts, the first with which the facts keep to their tokens. */
const shortenings = [
  [1000, 4000],
  [50, 300],
  [10, 120],
  [3, 40],
] as const

/** What stands before the rows, long lists and texts by their beginning. @throws QuotebookError BUDGET */
function factsText(facts: ToolAnswer['facts'], most: number, say: Say): string {
  for (const [items, characters] of shortenings) {
    const text = JSON.stringify(facts, (_, part: unknown) => {
      if (typeof part === 'string' || isFact(part)) return headOf(isFact(part) ? say(part) : part, characters)
      return Array.isArray(part) && part.length > items ? [...part.slice(0, items), `… ${part.length - items}`] : part
    })
    if (tokensOf(text) <= most) return text
  }
  return overspent(sentence`the answer takes more than its budget of tokens`)
}

/** Where an answer goes on: a place, the state that it is of, and a checksum of both with what was asked. */
function cursorOf(question: string, stamp: string, place: number): string {
  return [place, stamp, sha256(`${question} ${stamp} ${place}`).slice(0, 12)].join('.')
}

function placeOf(next: unknown, question: string, stamp: string): number {
  if (next === undefined) return 0
  const [place = '', state = ''] = String(next).split('.')
  if (!/^\d{1,9}$/.test(place) || cursorOf(question, state, Number(place)) !== next)
    throw new ParamsError('next', sentence`next is of another question; give it with the arguments of its own answer`)
  if (state === stamp) return Number(place)
  throw new QuotebookError('ARCHIVE_CHANGED', sentence`the rows have changed since that answer; ask again without next`)
}

/** Rows in the wire form until the tokens are used up, long texts by their beginning; of the first as much as there is room for. */
function shownRows(rows: readonly (readonly unknown[])[], most: number) {
  let [cut, left] = [0, most]
  const written = (row: readonly unknown[], characters: number): string => {
    const cells = row.map((cell) => {
      const text = typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell
      if (typeof text !== 'string' || text.length <= characters) return cell
      cut++
      return headOf(text, characters)
    })
    return JSON.stringify(cells)
  }
  const shown: string[] = []
  for (const row of rows) {
    const before = cut
    let text = written(row, budget.textCell)
    if (tokensOf(text) >= left && shown.length === 0) text = written(row, 40)
    left -= tokensOf(text) + 1
    if (left < 0) {
      cut = before
      break
    }
    shown.push(text)
  }
  return { shown, cut }
}

/**
 * An answer as JSON of no more tokens than its budget: facts, then as many rows as there is room for, and `next` where there are more.
 * @param spare tokens that stand beside it
 * @throws ParamsError for a `next` of another question; QuotebookError ARCHIVE_CHANGED for one of other rows, BUDGET for rows too wide to be shown
 */
export function answerPage(
  { facts, columns = [], rows }: ToolAnswer,
  given: Given,
  { tool, spare, say }: { readonly tool: string; readonly spare: number; readonly say: Say },
): string {
  const { next, budget: tokens = budget.tokens, max_rows: most = mostShown, ...asked } = given
  const whole = Number(tokens) - spare
  if (!rows) return factsText(facts, whole, say)
  const question = JSON.stringify([tool, sortedKeys(asked)])
  const stamp = sha256(rows.stamp()).slice(0, 12)
  const place = placeOf(next, question, stamp)
  const names = JSON.stringify(columns)
  const head = factsText({ total_rows: rows.total, ...facts }, Math.floor(whole / 2) - tokensOf(names), say)
  const left = whole - tokensOf(head + names) - 40
  const { shown, cut } = shownRows(rows.from(place, Math.min(Number(most), mostShown)), left)
  const end = place + shown.length
  if (shown.length === 0 && Number(most) > 0 && place < rows.total)
    overspent(sentence`a row takes more than the budget of tokens`)
  const more = shown.length > 0 && end < rows.total
  const marks = JSON.stringify({
    ...(place > 0 && { offset: place }),
    ...(cut > 0 && { cut_texts: cut }),
    ...(more && { next: cursorOf(question, stamp, end) }),
  })
  const parts = [
    head.slice(1, -1),
    marks.slice(1, -1),
    `"columns":${names}`,
    `"rows":[${shown.map((row) => `\n${row}`)}]`,
  ]
  return `{${parts.filter((part) => part !== '').join(',')}}`
}
