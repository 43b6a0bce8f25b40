import type { Completeness } from '../verdict.js'
import { quotable } from './failure.js'
import type { ReplyChunk } from './piece.js'

/** A value as texts: those of a list, or it alone; none where it is missing. */
function textsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((text) =>
    typeof text === 'string' ? text : JSON.stringify(text),
  )
}

/** What the `meta` of news says against its rows: that sources are stale, or that they were not collected whole. */
export function upstreamNote(beside: ReplyChunk['beside'] | undefined): string | undefined {
  const meta = (beside?.meta ?? {}) as Readonly<Record<string, unknown>>
  const stale = textsIn(meta.upstream_stale_sources)
  const [status = 'complete'] = textsIn(meta.upstream_status)
  const notes = [
    ...(stale.length > 0 ? [`stale at the source: ${stale.join(', ')}`] : []),
    ...(status === 'complete' ? [] : [`the source was collected with the status ${status}, not complete`]),
  ]
  return notes.length > 0 ? quotable(notes.join('; '), '') : undefined
}

/** A verdict on rows of which the service itself says that they are stale or not whole. */
export function withUpstream(verdict: Completeness, chunks: readonly ReplyChunk[]): Completeness {
  const said = [...new Set(chunks.flatMap(({ beside }) => upstreamNote(beside) ?? []))]
  if (said.length === 0) return verdict
  const { proof: _, note, ...rest } = verdict
  return { ...rest, complete: false, note: [...said, ...(note === undefined ? [] : [note])].join('; ') }
}
