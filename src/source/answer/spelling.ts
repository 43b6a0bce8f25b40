import type { Dataset } from '../../contract/dataset.js'
import { ContractError } from '../../contract/error.js'
import { type Exchange, parseCode, spelled } from '../../contract/symbol.js'
import type { ColumnData, RecordColumns } from '../../table/values.js'
import type { ReplyChunk } from './piece.js'
import { distinctValues } from './words.js'

type Codes = Extract<ColumnData, { type: 'dictionary' }>

/** The same cells under other words, of which several may have become one. */
function renamed({ data, dictionary: words }: Codes, names: readonly string[]): Codes {
  const distinct = [...new Set(names)]
  const place = new Map(distinct.map((word, code) => [word, code]))
  const codes = Int32Array.from(words, (_, code) => place.get(names[code] as string) as number)
  return {
    type: 'dictionary',
    dictionary: distinct,
    data: data.map((code) => (code < 0 ? code : (codes[code] as number))),
  }
}

/**
 * A reply with its codes as the contract spells them: a key that comes in two spellings is one, and one series of several
 * replies does not fall apart.
 * @throws ContractError for a code whose spelling can not be told
 */
export function normalizeSpelling(dataset: Dataset, chunk: ReplyChunk): ReplyChunk {
  const of = new Map(chunk.columns.columns)
  for (const [name, values] of of) {
    const spelling = Object.hasOwn(dataset.columns, name) ? dataset.columns[name]?.spelling : undefined
    if (spelling === undefined || values.type !== 'dictionary') continue
    const names = values.dictionary.map((word) => spelled(word, spelling))
    const wrong = names.indexOf(undefined)
    if (wrong >= 0) {
      const row = values.data.indexOf(wrong)
      const right = spelling === 'full' ? 'a code with its market, like 510300.SH' : 'a code without its market'
      const message = `row ${row + 1}: ${name} must be ${right}, not ${JSON.stringify(values.dictionary[wrong])}`
      throw new ContractError(dataset.name, message, { field: name, row, node: chunk.node })
    }
    if (names.some((word, code) => word !== values.dictionary[code])) of.set(name, renamed(values, names as string[]))
  }
  return { ...chunk, columns: { length: chunk.columns.length, columns: of } }
}

/**
 * Where the contract does not say how codes are spelled, no code of the key may come in two ways.
 * @throws ContractError naming both
 */
export function checkSpellings(dataset: Dataset, columns: RecordColumns, key: readonly string[]): void {
  for (const name of key) {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    if (column?.kind !== 'code' || column.spelling !== undefined) continue
    const known = new Map<string, { exchange: Exchange | undefined; word: string }[]>()
    for (const word of distinctValues(columns, name)) {
      const { bare, exchange } = parseCode(word)
      const others = known.get(bare) ?? []
      const same = others.find((other) => !other.exchange || !exchange || other.exchange === exchange)
      if (same) {
        const message = `${name}: ${same.word} and ${word} are one code in two spellings`
        throw new ContractError(dataset.name, message, { field: name })
      }
      known.set(bare, [...others, { exchange, word }])
    }
  }
}
