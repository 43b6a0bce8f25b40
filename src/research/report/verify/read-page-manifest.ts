import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { printable } from '../../../frame/show/cell-text.js'
import { parseJson } from '../../../frame/table/check-json.js'
import { manifestForm, type PageInput, type PageManifest, pageKinds } from './page-manifest.js'

/** What a page holds of its manifest, and the checksum that it states of itself. */
export interface StatedManifest extends PageManifest {
  readonly page: string
}

/** Longer manifests are not read: those of Quotebook have a few thousand characters. */
const mostCharacters = 1_000_000

type Named = Readonly<Record<string, unknown>>

function refused(why: Words, cause?: unknown): QuotebookError {
  return new QuotebookError('INVALID_VALUE', sentence`the manifest of the page is not to be read: ${why}`, { cause })
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function namedOf(value: unknown, what: string): Named {
  if (isNamed(value)) return value
  throw refused(sentence`${what} has no members`)
}

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value.length <= 1000) return value
  throw refused(sentence`${what} is no text`)
}

/** Those of some texts that are there, by name. */
function textsOf(value: unknown, what: string, names: readonly string[]): Record<string, string> {
  const named = namedOf(value, what)
  const found = names.filter((name) => named[name] !== undefined)
  return Object.fromEntries(found.map((name) => [name, textOf(named[name], `${what}.${name}`)]))
}

function hashOf(value: unknown, what: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value
  throw refused(sentence`${what} is no sha256`)
}

function inputOf(value: unknown, at: number): PageInput {
  const what = `inputs[${at}]`
  const { name, rows, sha256, complete } = namedOf(value, what)
  if (!Number.isSafeInteger(rows) || (rows as number) < 0) throw refused(sentence`${what}.rows is no count`)
  return {
    name: textOf(name, `${what}.name`),
    rows: rows as number,
    ...(sha256 !== undefined && { sha256: hashOf(sha256, `${what}.sha256`) }),
    ...(typeof complete === 'boolean' && { complete }),
  }
}

/** @throws QuotebookError INVALID_VALUE for what no Quotebook wrote, and for a form that this one does not know */
export function readPageManifest(text: string): StatedManifest {
  if (text.length > mostCharacters) throw refused(sentence`it is too long`)
  let given: unknown
  try {
    given = parseJson(text, 'it')
  } catch (error) {
    throw refused(error instanceof QuotebookError ? messageOf(error) : sentence`it is no JSON`, error)
  }
  if (!isNamed(given)) throw refused(sentence`it has no members`)
  const { form, kind, options, inputs, source, code } = given
  if (form !== manifestForm)
    throw refused(sentence`its form is ${printable(String(form)).slice(0, 20)}, and ${manifestForm} is known`)
  const known = pageKinds.find((one) => one === kind)
  if (!known) throw refused(sentence`kind is none of ${pageKinds.join(', ')}`)
  if (!isNamed(options)) throw refused(sentence`options has no members`)
  if (!Array.isArray(inputs) || inputs.length > 1000) throw refused(sentence`inputs is no list`)
  const { name: codeName, ...texts } = code === undefined ? {} : textsOf(code, 'code', ['name', 'sha256'])
  return {
    kind: known,
    version: textOf(given.version, 'version'),
    options,
    inputs: inputs.map(inputOf),
    ...(source !== undefined && {
      source: {
        name: '',
        ...textsOf(source, 'source', ['name', 'about', 'state']),
        ...((source as Named).changed === true && { changed: true }),
      },
    }),
    ...(code !== undefined && { code: { name: codeName, sha256: hashOf(texts.sha256, 'code.sha256') } }),
    page: hashOf(given.page, 'page'),
  }
}
