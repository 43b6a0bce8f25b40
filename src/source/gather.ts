import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import type { Proof } from '../table/provenance.js'
import { firstContradicted } from './answer/overlap.js'
import type { Piece } from './answer/piece.js'
import { wordsIn } from './answer/words.js'
import { SourceError, TruncatedError } from './error.js'
import { type Box, boxText, halves } from './plan/box.js'
import { datedOf, oneDayParam } from './plan/dated.js'
import type { Plan } from './plan/plan.js'
import { halvesBySource } from './proof/halves.js'
import { counted } from './proof/shown.js'

/** A piece of an answer, and what is to be said of it. */
export interface Part {
  readonly box: Box
  readonly piece: Piece
  /** Rows are missing, or may be, which can not be asked for. */
  readonly truncated?: string
  /** Why nothing shows that no row is missing. */
  readonly doubt?: string
  /** What shows that no row is missing. */
  readonly proof?: Proof
}

export interface Gathering {
  readonly dataset: Dataset
  readonly query: Query
  readonly plan: Plan
  readonly allowTruncated: boolean
  readonly ask: (box: Box) => Promise<Piece>
  /** Called before the parts of a box are asked in its place. */
  readonly onSplit: (parts: number) => void
}

/** Times that a box is asked whose halves hold fewer rows than it, or others. */
const rounds = 2

function isFull(piece: Piece, { query, plan }: Gathering): boolean {
  const isAll = piece.archive?.total === piece.columns.length
  return !isAll && counted(piece, query) >= (plan.cap ?? Number.POSITIVE_INFINITY)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestIn(dataset: Dataset, query: Query, box: Box, piece: Piece): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return datedOf(dataset, query, box).isLatest ? wordsIn(piece.columns, dataset.day ?? '')[0] : undefined
}

function splitOf(box: Box, piece: Piece, { dataset, query }: Gathering): readonly [Box, Box] | undefined {
  if (box.sources) return halvesBySource(box, query, piece)
  const day = latestIn(dataset, query, box, piece)
  return halves(day === undefined ? box : { ...box, day })
}

function ofBox(box: Box): string {
  return Object.keys(box).length === 0 ? '' : ` of ${boxText(box)}`
}

function unsplit(box: Box, piece: Piece, gathering: Gathering): Part {
  const { dataset, plan, query, allowTruncated } = gathering
  const rows = piece.columns.length
  const what = `${dataset.name}: ${rows} rows${ofBox(box)}`
  const full = `${what}, as many as a reply holds`
  if (allowTruncated) return { box, piece, truncated: `${full}; there may be more` }
  const way =
    dataset.limit.kind === 'newest' ? `give a limit of at most ${plan.cap} to take the newest` : 'narrow the query'
  throw new TruncatedError(`${full}, and no way to split them: ${way}, or take what came (allowTruncated)`, {
    asked: { dataset: dataset.name, params: { ...query, ...box } },
    node: piece.node,
  })
}

export function rowsIn(parts: readonly Part[]): number {
  return parts.reduce((sum, { piece }) => sum + piece.columns.length, 0)
}

export function apart(
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
 * The parts of a box, in order: its reply, or those of its halves when the reply is at the cap. Halves hold at least as
 * many rows as the whole did.
 * @throws TruncatedError when a box that can not be split is at the cap, unless `allowTruncated`; SourceError UNSTABLE when
 * halves hold fewer rows, time after time
 */
export async function gather(box: Box, gathering: Gathering): Promise<readonly Part[]> {
  for (let round = 1; ; round++) {
    const piece = await gathering.ask(box)
    if (!isFull(piece, gathering)) return [{ box, piece }]
    const two = splitOf(box, piece, gathering)
    if (!two) return [unsplit(box, piece, gathering)]
    gathering.onSplit(two.length)
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
