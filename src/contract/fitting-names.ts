import type { CodeKind, Dataset } from './dataset.js'
import { ParamsError } from './error.js'
import { editsBetween } from './nearest.js'
import { sentence, type Words } from './sentence.js'
import { parseCode, spelled } from './symbol.js'

/** A code and what it is called. */
export interface NamedCode {
  /** With the suffix of its exchange, unless it is the vendor's own: `123124.SZ`, `880001`. */
  readonly code: string
  readonly name: string
  readonly instrument: CodeKind
}

/** Whether a text of a list of codes is none: Chinese, or letters with few digits. `all` is a word of its own. */
export function isName(text: string): boolean {
  if (/\p{Script=Han}/u.test(text)) return true
  return text !== 'all' && /^\*?[\dA-Za-z]{2,}$/.test(text) && /[A-Za-z]/.test(text) && !/\d{4}/.test(text)
}

/** What stands before the colon of a title: `云帆材料:关于…`. */
const beforeColon = /^((?:\*?ST)?[\p{Script=Han}A-Za-z0-9-]{2,8})[:：]/u

/** The one name with which all titles of a code begin, by code. */
function namesInTitles(codes: readonly (string | null)[], titles: readonly (string | null)[]): [string, string][] {
  const found = new Map<string, Set<string | undefined>>()
  codes.forEach((code, row) => {
    const names = found.get(code ?? '') ?? new Set()
    found.set(code ?? '', names.add(beforeColon.exec(titles[row] ?? '')?.[1]))
  })
  return [...found].flatMap(([code, names]): [string, string][] => {
    const [name] = names
    return names.size === 1 && name !== undefined && code !== '' ? [[code, name]] : []
  })
}

/** Codes of a dataset's rows and their names, as the rows spell them: `codes` and `texts` are cells of its columns of names. */
export function namesInRows(
  { names }: Dataset,
  codes: readonly (string | null)[],
  texts: readonly (string | null)[],
): [code: string, name: string][] {
  if (names?.inTitle) return namesInTitles(codes, texts)
  return codes.flatMap((code, row): [string, string][] => (code && texts[row] ? [[code, texts[row]]] : []))
}

/** A code of a row with the suffix of its exchange. */
export function wholeCode(code: string, instrument: CodeKind): string {
  return instrument === 'index' ? code : (spelled(code, 'full') ?? code)
}

/** Letters of a name's characters, all that each may be read by: the first is how the name itself is read. */
export type Readings = (name: string) => readonly (readonly string[])[]

const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, '').toUpperCase()

/** Marks that the exchanges put before a name. */
const mark = /^(\*?ST|XD|XR|DR|N|C)(?=\p{Script=Han})/u

/** The name that fits whole, else those that begin so; marks of the exchange may be left out. */
function fitting<T>(text: string, all: readonly T[], formsOf: (one: T) => readonly string[]): readonly T[] {
  const whole = all.filter((one) => formsOf(one).includes(text))
  return whole.length > 0 ? whole : all.filter((one) => formsOf(one).some((form) => form.startsWith(text)))
}

/** What a name may be written by, of each character a letter; of long names with many readings not all. */
function initialsOf(letters: readonly (readonly string[])[], readingsEach?: number): readonly string[] {
  return letters.reduce<string[]>(
    (before, own) =>
      before.flatMap((one) => own.slice(0, readingsEach).map((letter) => one + letter.toUpperCase())).slice(0, 64),
    [''],
  )
}

const lettersOf = ({ name }: NamedCode, readings: Readings): readonly (readonly string[])[] =>
  readings(plain(name).replace(mark, ''))

/**
 * The names that a text stands for: the one that it is, else those that begin with it; a text of Latin letters that begins none,
 * those whose initials it is. The name's own reading counts before others of its characters.
 */
export function fittingNames(text: string, all: readonly NamedCode[], readings?: Readings): readonly NamedCode[] {
  const asked = plain(text)
  const found = fitting(asked, all, ({ name }) => [plain(name), plain(name).replace(mark, '')])
  if (found.length > 0 || !readings) return found
  const own = fitting(asked, all, (one) => initialsOf(lettersOf(one, readings), 1))
  return own.length > 0 ? own : fitting(asked, all, (one) => initialsOf(lettersOf(one, readings)))
}

const most = 8

function listed(all: readonly NamedCode[]): Words {
  const some = all.slice(0, most).map(({ code, name }) => [code, name].join(' '))
  return all.length > most ? sentence`${some.join(', ')} and ${all.length - most} more` : some.join(', ')
}

/** Names that hold the text, or are, or begin, a character away from it; of initials, a letter. */
function nearNames(text: string, all: readonly NamedCode[], readings: Readings | undefined): readonly NamedCode[] {
  const asked = plain(text)
  const isNear = (name: string): boolean =>
    name.includes(asked) ||
    asked.includes(name) ||
    [name, name.slice(0, asked.length)].some((form) => form.length > 1 && editsBetween(asked, form) < 2)
  return all.filter(
    (one) => isNear(plain(one.name)) || (readings && initialsOf(lettersOf(one, readings), 1).some(isNear)),
  )
}

/**
 * The one code that a name stands for.
 * @param all the names of the source, `from` the datasets that they are of
 * @param readings of a text of Latin letters, which may be initials
 * @throws ParamsError for a name that fits several, which it lists, and for one that fits none
 */
export function oneCode(text: string, all: readonly NamedCode[], from: Words, readings?: Readings): NamedCode {
  const fits = new Map(fittingNames(text, all, readings).map((one) => [one.code, one]))
  const [one] = fits.values()
  if (one && fits.size === 1) return one
  if (one)
    throw new ParamsError('symbols', sentence`symbols: '${text}' may be ${listed([...fits.values()])}; give a code.`)
  const near = nearNames(text, all, readings)
  const hint = near.length > 0 ? sentence` Near it: ${listed(near)}.` : ''
  throw new ParamsError('symbols', sentence`symbols: no name of ${from} is '${text}' or begins so.${hint}`)
}

/** Whether the initials of a text are looked for: it has no Chinese. */
export const mayBeInitials = (text: string): boolean => !/\p{Script=Han}/u.test(text)

/** The parts of a list of codes, as it may be given; undefined for what is no list of texts. */
export function codeList(symbols: unknown): readonly string[] | undefined {
  const given: readonly unknown[] = Array.isArray(symbols) ? symbols : [symbols]
  if (!given.every((one) => typeof one === 'string')) return undefined
  return (given as readonly string[]).flatMap((one) => one.split(/[,，、]/)).flatMap((one) => one.trim() || [])
}

/** The questions that tell the latest names of a dataset, as few as there are. */
export function nameQuestions({ params, limit }: Dataset): readonly Readonly<Record<string, unknown>>[] {
  const page = limit.kind === 'page' ? { limit: limit.max } : {}
  const required = Object.entries(params).find(([, param]) => param.required)
  if (!required) return [page]
  const [name, { values = [] }] = required
  return values.map((value) => ({ ...page, [name]: value }))
}

/** A found code as the rows of a dataset spell it, which is how its params take it. */
export function codeFor({ params, columns }: Dataset, { code }: NamedCode): string {
  const { markets, columns: [column = ''] = [] } = params.symbols ?? {}
  const isFull = markets !== undefined || columns[column]?.spelling === 'full'
  return isFull ? code : parseCode(code).bare
}
