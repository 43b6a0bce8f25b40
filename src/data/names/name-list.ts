import { datasetOf, datasets } from '../../contract/catalogue.js'
import type { CodeKind, Dataset } from '../../contract/dataset.js'
import { etfNames } from '../../contract/etf-names.js'
import {
  codeFor,
  codeList,
  fittingNames,
  isName,
  mayBeInitials,
  type NamedCode,
  nameQuestions,
  oneCode,
  wholeCode,
} from '../../contract/fitting-names.js'
import { sentence } from '../../contract/sentence.js'
import { nameReadings } from './name-readings.js'

/** Datasets whose rows name codes, those first that take fewest requests. */
const naming: readonly Dataset[] = datasets
  .map(({ name }): Dataset => datasetOf(name))
  .filter(({ names }) => names)
  .sort((a, b) => nameQuestions(a).length - nameQuestions(b).length)

const funds: readonly NamedCode[] = Object.entries(etfNames).map(([code, name]) => ({
  code: wholeCode(code, 'fund'),
  name,
  instrument: 'fund',
}))

/** Asks a source a question for some columns, and reads codes and names of the answer. */
type AskNames = (
  dataset: Dataset,
  params: Readonly<Record<string, unknown>>,
  fields: readonly string[],
) => Promise<readonly (readonly [code: string, name: string])[]>

async function namesOf(ask: AskNames, dataset: Dataset): Promise<readonly NamedCode[]> {
  const { names, instruments: instrument } = dataset
  if (!names || !instrument) return []
  const fields = [names.code, names.name]
  const answers = await Promise.all(nameQuestions(dataset).map((params) => ask(dataset, params, fields)))
  return answers.flat().map(([code, name]) => ({ code: wholeCode(code, instrument), name, instrument }))
}

/** Every kind of codes that have names. */
export const instruments: readonly CodeKind[] = ['stock', 'bond', 'fund', 'index', 'hk']

/** Datasets whose rows name codes of some kind; of funds there are none. */
const namingOf = (kinds: readonly CodeKind[]): readonly Dataset[] =>
  naming.filter(({ instruments: own }) => own && kinds.includes(own))

/** What is read to find the names in the params of a query, at most; undefined where there are none, or they are known without. */
export function nameRequests(
  { instruments: kind }: Dataset,
  params: unknown,
): { readonly datasets: readonly string[]; readonly requests: number } | undefined {
  const { symbols } = (params ?? {}) as { readonly symbols?: unknown }
  const read = kind && codeList(symbols)?.some(isName) ? namingOf([kind]) : []
  if (read.length === 0) return undefined
  return {
    datasets: read.map(({ name }) => name),
    requests: read.reduce((sum, dataset) => sum + nameQuestions(dataset).length, 0),
  }
}

/** The names of a source's latest rows, each dataset read once, when a name is asked for that those before it have not. */
export class NameList {
  readonly #ask: AskNames
  readonly #read = new Map<Dataset, Promise<readonly NamedCode[]>>()
  constructor(ask: AskNames) {
    this.#ask = ask
  }

  /** The names of some instruments, as far as they are needed: to the dataset that has each of the texts whole. */
  async #named(texts: readonly string[], kinds: readonly CodeKind[]): Promise<readonly NamedCode[]> {
    const all: NamedCode[] = kinds.includes('fund') ? [...funds] : []
    const isWhole = (text: string): boolean => all.some(({ name }) => name === text)
    for (const dataset of namingOf(kinds)) {
      if (texts.every(isWhole)) break
      const read = this.#read.get(dataset) ?? namesOf(this.#ask, dataset)
      this.#read.set(dataset, read)
      try {
        all.push(...(await read))
      } catch (error) {
        this.#read.delete(dataset)
        throw error
      }
    }
    const seen = new Set<string>()
    return all.filter(({ code, name }) => !seen.has(`${code} ${name}`) && seen.add(`${code} ${name}`))
  }

  /** The codes whose names a text fits, best first; none for a text that fits no name. */
  async find(text: string, kinds: readonly CodeKind[]): Promise<readonly NamedCode[]> {
    const all = await this.#named([text], kinds)
    return fittingNames(text, all, mayBeInitials(text) ? await nameReadings() : undefined)
  }

  /**
   * A list of codes in which names may stand, with the code in place of each name; the list itself where there is none.
   * @throws ParamsError for a name that fits several codes, or none
   */
  async codes(symbols: unknown, kinds: readonly CodeKind[], spell: (found: NamedCode) => string): Promise<unknown> {
    const list = codeList(symbols)
    const texts = list?.filter(isName) ?? []
    if (!list || texts.length === 0) return symbols
    const all = await this.#named(texts, kinds)
    const from =
      namingOf(kinds)
        .map(({ name }) => name)
        .join(', ') || sentence`the list of ETFs`
    const readings = texts.some(mayBeInitials) ? await nameReadings() : undefined
    const codeOf = (text: string): string =>
      isName(text) ? spell(oneCode(text, all, from, mayBeInitials(text) ? readings : undefined)) : text
    return [...new Set(list.map(codeOf))]
  }

  /** Params of a dataset with codes in the place of names. @throws as `codes` does */
  async params(dataset: Dataset, params: unknown): Promise<unknown> {
    if (!dataset.instruments || typeof params !== 'object' || params === null || !('symbols' in params)) return params
    const symbols = await this.codes(params.symbols, [dataset.instruments], (found) => codeFor(dataset, found))
    return symbols === params.symbols ? params : { ...params, symbols }
  }
}
