import type { Column } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { columnTypeOf } from '../table/arrow.js'
import { cellArray, type FlagArray } from './cell-array.js'
import { numberArray } from './number-array.js'
import type { AnyArray } from './verb-types.js'

/** A condition on rows, read from a text. */
export interface RowCondition {
  /** The columns that it reads. */
  readonly columns: readonly string[]
  /** True, false or missing for each of so many rows, given their columns as `derive` and `filter` have them. */
  readonly test: (columns: Readonly<Record<string, unknown>>, length: number) => FlagArray
}

type Type = 'number' | 'text' | 'flag'

/** A part of a condition: a column, a value, or what is made of them. */
interface Part {
  readonly type: Type
  readonly of: (columns: Readonly<Record<string, unknown>>, length: number) => AnyArray
}

const words = ['and', 'or', 'not', 'in', 'is', 'missing', 'null', 'true', 'false']
const comparisons = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '=': 'eq',
  '==': 'eq',
  '!=': 'ne',
  '<>': 'ne',
} as const
const sums = { '+': 'plus', '-': 'minus' } as const
const products = { '*': 'times', '/': 'over' } as const
/** The name of a method of a column. */
type Method = string

const tokenForm =
  /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|('(?:[^']|'')*')|(<=|>=|<>|!=|==|[-+*/()<>=,])|([\p{L}_][\p{L}\p{N}_]*))/iuy

interface Token {
  readonly text: string
  readonly kind: 'number' | 'text' | 'sign' | 'word' | 'end'
}

const typeWords = { number: sentence`number`, text: sentence`text`, flag: sentence`flag` } as const

function typeOf({ kind }: Column): Type | undefined {
  const type = columnTypeOf(kind)
  if (type === 'float' || type === 'int') return 'number'
  if (type === 'boolean') return 'flag'
  return type === 'list' || kind === 'json' ? undefined : 'text'
}

function constant(value: number | string | boolean, type: Type): Part {
  const of = (_: unknown, length: number) =>
    typeof value === 'number'
      ? numberArray(new Float64Array(length).fill(value))
      : cellArray(new Array<string | boolean>(length).fill(value))
  return { type, of: of as unknown as Part['of'] }
}

class ConditionReader {
  readonly #text: string
  readonly #tokens: Token[] = []
  readonly #columns: Readonly<Record<string, Column>>
  readonly #of: string
  readonly used = new Set<string>()
  #at = 0

  constructor(text: string, of: string, columns: Readonly<Record<string, Column>>) {
    this.#text = text
    this.#of = of
    this.#columns = columns
    const kinds = ['number', 'text', 'sign', 'word'] as const
    tokenForm.lastIndex = 0
    let end = 0
    for (let found = tokenForm.exec(text); found; found = tokenForm.exec(text)) {
      const group = found.slice(1).findIndex((piece) => piece !== undefined)
      this.#tokens.push({ text: found[group + 1] as string, kind: kinds[group] as Token['kind'] })
      end = tokenForm.lastIndex
    }
    const rest = text.slice(end).trim()
    if (rest !== '')
      throw this.#error(sentence`'${rest.slice(0, 20)}' is neither a column, a number nor a text in single quotes`)
  }

  whole(): Part {
    const part = this.#any()
    if (this.#next().kind !== 'end') throw this.#unexpected()
    return this.#flag(part)
  }

  #error(what: Words): QuotebookError {
    return new QuotebookError('INVALID_VALUE', sentence`the condition '${this.#text}': ${what}`)
  }

  #unexpected(): QuotebookError {
    const { kind, text } = this.#next()
    return this.#error(kind === 'end' ? sentence`it ends too early` : sentence`'${text}' is not expected there`)
  }

  #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  /** The next token, taken when it is one of these words or signs. */
  #take(...wanted: readonly string[]): string | undefined {
    const { kind, text } = this.#next()
    const found = kind === 'sign' || kind === 'word' ? text.toLowerCase() : ''
    if (!wanted.includes(found)) return undefined
    this.#at++
    return found
  }

  #expect(sign: string): void {
    if (this.#take(sign) === undefined) throw this.#unexpected()
  }

  #flag(part: Part): Part {
    if (part.type === 'flag') return part
    throw this.#error(sentence`it compares nothing; write close < 100, for one`)
  }

  #join(left: Part, method: Method, right: Part, type: Type): Part {
    return {
      type,
      of: (columns, length) => {
        const one = left.of(columns, length) as unknown as Record<string, (other: AnyArray) => AnyArray>
        return (one[method] as (other: AnyArray) => AnyArray).call(one, right.of(columns, length))
      },
    }
  }

  #any(): Part {
    let left = this.#all()
    while (this.#take('or')) left = this.#join(this.#flag(left), 'or', this.#flag(this.#all()), 'flag')
    return left
  }

  #all(): Part {
    let left = this.#not()
    while (this.#take('and')) left = this.#join(this.#flag(left), 'and', this.#flag(this.#not()), 'flag')
    return left
  }

  #not(): Part {
    return this.#take('not') ? this.#negated(this.#flag(this.#not())) : this.#comparison()
  }

  #negated({ of }: Part): Part {
    return { type: 'flag', of: (columns, length) => of(columns, length).not() as unknown as AnyArray }
  }

  #comparison(): Part {
    const left = this.#sum()
    const sign = this.#take(...Object.keys(comparisons)) as keyof typeof comparisons | undefined
    if (sign !== undefined) return this.#compare(left, comparisons[sign], this.#sum())
    if (this.#take('is')) {
      const isNot = this.#take('not') !== undefined
      if (this.#take('missing', 'null') === undefined) throw this.#unexpected()
      const part: Part = { type: 'flag', of: (...given) => left.of(...given).isMissing() as unknown as AnyArray }
      return isNot ? this.#negated(part) : part
    }
    const isNot = this.#take('not') !== undefined
    if (this.#take('in')) return isNot ? this.#negated(this.#list(left)) : this.#list(left)
    if (isNot) throw this.#unexpected()
    return left
  }

  #list(left: Part): Part {
    this.#expect('(')
    let part = this.#compare(left, 'eq', this.#sum())
    while (this.#take(',')) part = this.#join(part, 'or', this.#compare(left, 'eq', this.#sum()), 'flag')
    this.#expect(')')
    return part
  }

  #compare(left: Part, method: Method, right: Part): Part {
    if (left.type !== right.type)
      throw this.#error(sentence`${typeWords[left.type]} and ${typeWords[right.type]} can't be compared`)
    if (left.type === 'flag' && method !== 'eq' && method !== 'ne')
      throw this.#error(sentence`true and false have no order`)
    return this.#join(left, method, right, 'flag')
  }

  #sum(): Part {
    return this.#arithmetic(sums, () => this.#arithmetic(products, () => this.#signed()))
  }

  #arithmetic(signs: Readonly<Record<string, Method>>, below: () => Part): Part {
    let left = below()
    for (let sign = this.#take(...Object.keys(signs)); sign; sign = this.#take(...Object.keys(signs))) {
      const right = below()
      if (left.type !== 'number' || right.type !== 'number') throw this.#error(sentence`'${sign}' takes numbers`)
      left = this.#join(left, signs[sign] as Method, right, 'number')
    }
    return left
  }

  #signed(): Part {
    if (!this.#take('-')) return this.#one()
    const { type, of } = this.#signed()
    if (type !== 'number') throw this.#error(sentence`'-' takes numbers`)
    return { type, of: (columns, length) => of(columns, length).neg() as unknown as AnyArray }
  }

  #one(): Part {
    if (this.#take('(')) {
      const part = this.#any()
      this.#expect(')')
      return part
    }
    const flag = this.#take('true', 'false')
    if (flag) return constant(flag === 'true', 'flag')
    const { kind, text } = this.#next()
    if (kind === 'end' || kind === 'sign' || (kind === 'word' && words.includes(text.toLowerCase())))
      throw this.#unexpected()
    this.#at++
    if (kind === 'number') return constant(Number(text), 'number')
    return kind === 'text' ? constant(text.slice(1, -1).replaceAll("''", "'"), 'text') : this.#column(text)
  }

  #column(name: string): Part {
    const names = Object.keys(this.#columns)
    if (!names.includes(name)) throw unknownName('when', name, names, 'column', this.#of)
    const type = typeOf(this.#columns[name] as Column)
    if (!type) throw this.#error(sentence`'${name}' holds lists or nested values, which can't be compared`)
    this.used.add(name)
    return { type, of: (columns) => columns[name] as AnyArray }
  }
}

/**
 * A condition on the rows of a dataset, as a text in the manner of SQL: `cb_over_rate < 0 and close <= 1.1 * pre_close`. Columns,
 * numbers and texts in single quotes; `+ - * /`, `< <= > >= = <>`, `in (…)`, `is missing`, `and`, `or`, `not`. A missing value is as in
 * the expressions of columns, which it becomes: a comparison with it is neither true nor false.
 * @throws QuotebookError INVALID_VALUE for what is no condition; ParamsError for a column that is not there, with the nearest one
 */
export function parseCondition(text: string, of: string, columns: Readonly<Record<string, Column>>): RowCondition {
  const reader = new ConditionReader(text, of, columns)
  const { of: test } = reader.whole()
  return { columns: [...reader.used], test: (...given) => test(...given) as unknown as FlagArray }
}
