import type { Words } from '../../../contract/sentence.js'
/** The archive behind an answer. What replies do not agree on, or do not tell, is absent. */
export interface ArchiveIdentity {
  readonly name?: string | undefined
  /** What a reader should know first: that an archive is synthetic, say. */
  readonly about?: string | undefined
  /** sha256 of the manifest: it names every byte of the archive. */
  readonly state?: string | undefined
  /** Datasets of which some rows come from replies that had been cut. */
  readonly partial?: readonly string[] | undefined
  /** Rows that match the question, whether or not they were all sent. */
  readonly total?: number | undefined
  /** Why the archive itself does not know these rows to be all. */
  readonly unproven?: Words | undefined
}

/** The header of a reply that tells the archive it comes from. The vendor sends none. */
export const archiveHeaderName = 'quotebook-archive'

/** Characters of a header: servers and proxies take 8 to 16 thousand for all of them. */
const longest = 4096
const longestName = 200
/** Characters of it for what is said of a single answer. */
const answerLength = 1000

function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

function written({ name, about, state, partial = [] }: ArchiveIdentity): string {
  const some = partial.length > 0 ? { partial } : {}
  return encodeURIComponent(JSON.stringify({ name, state, ...(about ? { about } : {}), ...some }))
}

/** An identity as the value of its header, ASCII. What it says about the archive is cut short where it would not fit. */
export function archiveHeader(identity: ArchiveIdentity): string {
  const name = wellFormed([...(identity.name ?? '')].slice(0, longestName / 2).join(''))
  let about = [...wellFormed(identity.about ?? '')].slice(0, longest)
  for (;;) {
    const said = { ...identity, name, about: about.join('') }
    const text = written(said)
    if (text.length <= longest - answerLength || about.length === 0) return text
    about = [...about.slice(0, Math.floor(about.length * 0.9) - 1), '…']
    if (about.length === 1) about = []
  }
}

/** The header of an answer: that of its archive, with the rows that match. What is unproven of them is cut short where it would not fit. */
export function answerHeader(header: string, { total, unproven }: Pick<ArchiveIdentity, 'total' | 'unproven'>): string {
  if (unproven === undefined && Number.isSafeInteger(total)) return `${header.slice(0, -3)}%2C%22total%22%3A${total}%7D`
  let note = unproven === undefined ? undefined : wellFormed(String(unproven))
  for (;;) {
    const more = encodeURIComponent(`,${JSON.stringify({ total, unproven: note }).slice(1)}`)
    if (more.length <= answerLength || note === undefined)
      return header.slice(0, -encodeURIComponent('}').length) + more
    note = wellFormed(`${note.slice(0, Math.floor(note.length * 0.8))}…`)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would act on them
const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function isPlain(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= most && !odd.test(value)
}

/** What the fields of a header may hold, in order. Name and state must be there. */
const fieldRules: Readonly<Record<keyof ArchiveIdentity, (value: unknown) => boolean>> = {
  name: (value) => isPlain(value, longestName),
  state: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  about: (value) => isPlain(value, longest),
  partial: (value) =>
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((name) => typeof name === 'string' && /^\w{1,64}$/.test(name)),
  total: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  unproven: (value) => isPlain(value, longest),
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** What the header of a reply tells; undefined when there is none, and for anything that is not as `archiveHeader` writes it. */
export function readArchiveHeader(text: string | undefined): ArchiveIdentity | undefined {
  if (text === undefined || text === '' || text.length > longest) return undefined
  const fields = parsed(text) ?? {}
  if (fields.name === undefined || fields.state === undefined) return undefined
  const present = Object.entries(fieldRules).filter(([name]) => fields[name] !== undefined)
  if (!present.every(([name, isValid]) => isValid(fields[name]))) return undefined
  return Object.fromEntries(present.map(([name]) => [name, fields[name]]))
}

/** What two replies agree on. A warning of one of them is one of both, and so is a dataset that is not whole. */
export function commonIdentity(one: ArchiveIdentity, other: ArchiveIdentity): ArchiveIdentity {
  const same = <T>(a: T, b: T): T | undefined => (a === b ? a : undefined)
  const cut = [...new Set([...(one.partial ?? []), ...(other.partial ?? [])])].slice(0, 100)
  const abouts = [...new Set([one.about, other.about].filter((about) => about !== undefined))]
  const isNew = other.about !== undefined && !one.about?.includes(other.about)
  const about = isNew ? abouts.join(' · ').slice(0, longest) : one.about
  return {
    name: same(one.name, other.name),
    about,
    state: same(one.state, other.state),
    partial: cut.length > 0 ? cut : undefined,
  }
}
