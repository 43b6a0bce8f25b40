import { messageOf } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { MissingBars } from '../../frame/table/provenance.js'
import { ContradictionError, isBeside } from './completeness/absent-cells.js'
import { checkOneState } from './completeness/one-state.js'
import { Prover } from './completeness/prove-completeness.js'
import { countReply, type RangeReply } from './completeness/reply-sizes.js'
import { firstWithout, sharedHoleNote } from './completeness/shared-holes.js'
import { rowsOnce } from './completeness/shared-rows.js'
import { checkOnlyPage, type PageRequest, readPages } from './fetch-pages.js'
import { fetchRange, fetchRanges } from './fetch-range.js'
import type { QueryRequests } from './query-requests.js'
import type { ReplyRows } from './reply/join-replies.js'
import { queryError } from './source-error.js'

/** What came of a query, in order, before it is one table. */
export interface QueryReplies {
  readonly replies: readonly RangeReply[]
  /** Their rows, each once where two replies share some. */
  readonly rows: readonly ReplyRows[]
  /** Rows that the service counts. */
  readonly total?: number | undefined
  /** Holes of the grid that are no rows which are missing. */
  readonly missing?: readonly MissingBars[]
  /** Why holes that were asked for by themselves may be rows that are missing all the same. */
  readonly doubt?: Words | undefined
}

/** Times that ranges are asked whose answers contradict each other. */
const rounds = 4

/** All replies of a query, each with what shows that nothing of it is missing; on the first error the rest is given up. */
export async function fetchQuery(requests: QueryRequests): Promise<QueryReplies> {
  try {
    return await (requests.planned.plan.strategy === 'pages' ? fetchPages(requests) : fetchAgreeing(requests))
  } catch (error) {
    requests.stop()
    throw error
  }
}

/** All ranges; what contradicts another answer is asked for again, four times at most as for pages. */
async function fetchAgreeing(requests: QueryRequests): Promise<QueryReplies> {
  let parts = await fetchRanges(requests)
  for (let round = 1; ; round++) {
    try {
      return await proven(requests, parts)
    } catch (error) {
      if (!(error instanceof ContradictionError)) throw error
      if (round === rounds) {
        const what = sentence`the answers do not go together, ${rounds} times over (${messageOf(error)}); narrow the query or try later`
        throw queryError('UNSTABLE', requests.planned, what)
      }
      requests.isProving = false
      const again = parts.map((part) => (isBeside(part.range, error.range) ? fetchRange(part.range, requests) : [part]))
      parts = (await Promise.all(again)).flat()
    }
  }
}

async function proven(requests: QueryRequests, parts: readonly RangeReply[]): Promise<QueryReplies> {
  const { planned } = requests
  const { dataset, plan } = planned
  if (plan.strategy === 'once' && dataset.limit.kind === 'page') {
    for (const { chunk } of parts) await checkOnlyPage(pagingOf(requests), chunk)
  }
  requests.isProving = true
  const prover = new Prover(requests, (range) => fetchRange(range, requests))
  const shown = firstWithout(requests, parts)
  const first = shown > 0 ? await prover.prove(parts.slice(0, shown)) : []
  const replies = [...first, ...(await prover.prove(parts.slice(shown)))]
  const rows = rowsOnce(planned, replies)
  await checkOneState(requests, replies)
  const doubt = await sharedHoleNote(requests, replies, prover.leftOut)
  return { replies, rows, missing: prover.missingBars, doubt }
}

function pagingOf(requests: QueryRequests): PageRequest {
  const { dataset, query, plan } = requests.planned
  const limit = plan.limit as number
  return {
    dataset,
    query,
    limit,
    offset: Number(query.offset ?? 0),
    allowTruncated: requests.allowTruncated,
    send: (offset, most) => requests.sendPage({}, { limit: most, offset }),
    onPage: (rows, total) => requests.expectPages(Math.ceil(Math.max(0, total - rows) / limit)),
  }
}

async function fetchPages(requests: QueryRequests): Promise<QueryReplies> {
  const { dataset, query } = requests.planned
  const { chunks, total, truncated } = await readPages(pagingOf(requests))
  const replies = chunks.map((chunk, i) => {
    const counts = countReply(dataset, query, chunk)
    return { range: {}, chunk, counts, ...(truncated && i === 0 ? { truncated } : {}) }
  })
  return { replies, rows: chunks.map(({ columns }) => columns), total }
}
