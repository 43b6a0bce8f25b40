import { newsSources } from '../contract/catalogue/news.js'
import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import { firstContradicted } from './answer/overlap.js'
import type { Piece } from './answer/piece.js'
import { wordsIn } from './answer/words.js'
import { SourceError, TruncatedError } from './error.js'
import { type Box, boxText, halves } from './plan/box.js'
import { datedOf, oneDayParam } from './plan/dated.js'
import type { Plan } from './plan/plan.js'

/** A piece of an answer, and what is to be said of it. */
export interface Part {
  readonly piece: Piece
  /** Rows are missing, or may be, which can not be asked for. */
  readonly truncated?: string
  /** What makes one wonder, though nothing shows that rows are missing. */
  readonly doubt?: string
}

export interface Gathering {
  readonly dataset: Dataset
  readonly query: Query
  readonly plan: Plan
  readonly allowTruncated: boolean
  readonly ask: (box: Box) => Promise<Piece>
  /** Called before the halves of a box are asked. */
  readonly onSplit: () => void
}

/** Times that a box is asked whose halves hold fewer rows than it, or others. */
const rounds = 2

/** As many rows as a cap that nobody wrote down would leave: a round number, or a power of two. */
function isRound(rows: number): boolean {
  return rows > 0 && (rows % 500 === 0 || (rows >= 1024 && (rows & (rows - 1)) === 0))
}

/** Rows that count against the limit: in the view `source`, those of the source with the most of them. */
export function counted({ columns }: Piece, query: Query): number {
  const values = query.view === 'source' ? columns.of.get('source') : undefined
  if (values?.form !== 'codes') return columns.length
  const count = new Int32Array(values.words.length)
  for (const code of values.data) if (code >= 0) count[code] = (count[code] as number) + 1
  return count.reduce((most, one) => Math.max(most, one), 0)
}

function isFull(piece: Piece, { query, plan }: Gathering): boolean {
  return counted(piece, query) >= (plan.cap ?? Number.POSITIVE_INFINITY)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestIn(dataset: Dataset, query: Query, box: Box, piece: Piece): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return datedOf(dataset, query, box).isLatest ? wordsIn(piece.columns, dataset.day ?? '')[0] : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
function splitOf(box: Box, piece: Piece, { dataset, query }: Gathering): readonly [Box, Box] | undefined {
  const day = latestIn(dataset, query, box, piece)
  if (!box.sources) return halves(day === undefined ? box : { ...box, day })
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  return wordsIn(piece.columns, 'source').every((source) => known.includes(source)) ? halves(box) : undefined
}

function ofBox(box: Box): string {
  return Object.keys(box).length === 0 ? '' : ` of ${boxText(box)}`
}

function unsplit(box: Box, piece: Piece, gathering: Gathering): Part {
  const { dataset, plan, query, allowTruncated } = gathering
  const rows = piece.columns.length
  const what = `${dataset.name}: ${rows} rows${ofBox(box)}`
  if (!isFull(piece, gathering)) {
    return { piece, doubt: `${what}, which may be a limit that the contract does not state, and no way to split them` }
  }
  const full = `${what}, as many as a reply holds`
  if (allowTruncated) return { piece, truncated: `${full}; there may be more` }
  const way =
    dataset.limit.kind === 'newest' ? `give a limit of at most ${plan.cap} to take the newest` : 'narrow the query'
  throw new TruncatedError(`${full}, and no way to split them: ${way}, or take what came (allowTruncated)`, {
    asked: { dataset: dataset.name, params: { ...query, ...box } },
    node: piece.node,
  })
}

function rowsIn(parts: readonly Part[]): number {
  return parts.reduce((sum, { piece }) => sum + piece.columns.length, 0)
}

function apart(
  box: Box,
  piece: Piece,
  found: number,
  other: number | undefined,
  { dataset, query }: Gathering,
): SourceError {
  const rows = piece.columns.length
  const what = found < rows ? `only ${found}` : `other cells than in row ${(other ?? 0) + 1}`
  const message = `${dataset.name}: ${rows} rows${ofBox(box)}, and ${what} when its halves are asked; the answers do not go together, try again`
  return new SourceError('UNSTABLE', message, {
    asked: { dataset: dataset.name, params: { ...query, ...box } },
    node: piece.node,
    retryable: true,
  })
}

/**
 * The parts of a box, in order: its reply, or those of its halves when the reply may have been cut. Halves hold at least as
 * many rows as the whole did.
 * @throws TruncatedError when a box that can not be split is at the cap, unless `allowTruncated`; SourceError UNSTABLE when
 * halves hold fewer rows, time after time
 */
export async function gather(box: Box, gathering: Gathering): Promise<readonly Part[]> {
  for (let round = 1; ; round++) {
    const piece = await gathering.ask(box)
    if (!isFull(piece, gathering) && !isRound(piece.columns.length)) return [{ piece }]
    const two = splitOf(box, piece, gathering)
    if (!two) return [unsplit(box, piece, gathering)]
    gathering.onSplit()
    const parts = (await Promise.all(two.map((half) => gather(half, gathering)))).flat()
    const found = rowsIn(parts)
    const other = firstContradicted(
      piece.columns,
      parts.map((part) => part.piece.columns),
    )
    if (found >= piece.columns.length && other === undefined) return parts
    if (round === rounds) throw apart(box, piece, found, other, gathering)
  }
}

/**
 * The parts of all boxes, in order. About the latest day one box is asked first, and the others for the day that it shows:
 * they are all of one day, whatever begins meanwhile.
 */
export async function gatherAll(gathering: Gathering): Promise<readonly Part[]> {
  const { plan, dataset, query } = gathering
  const { boxes } = plan
  const [first] = boxes
  if (boxes.length < 2 || !first || !datedOf(dataset, query, first).isLatest) {
    return (await Promise.all(boxes.map((box) => gather(box, gathering)))).flat()
  }
  let day: string | undefined
  let known: readonly Part[] = []
  let at = 0
  while (at < boxes.length && day === undefined) {
    known = await gather(boxes[at++] as Box, gathering)
    const [shown] = known.filter(({ piece }) => piece.columns.length > 0)
    day = shown && wordsIn(shown.piece.columns, dataset.day ?? '')[0]
  }
  if (day === undefined) return known
  const dated = { day }
  const all = boxes.map((box, i) => (i === at - 1 ? known : gather({ ...box, ...dated }, gathering)))
  return (await Promise.all(all)).flat()
}
