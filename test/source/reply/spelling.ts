import type { Column } from '../../../src/contract/column.js'
import type { Chance } from './random.js'

/** Numbers that are hard to read right, as JSON spells them; a double holds each. */
export const hardNumbers = [
  '-0',
  '0',
  '-0.0',
  '0e5',
  '-0E-7',
  '0.1',
  '0.3',
  '1E+5',
  '1e5',
  '1e-5',
  '1.5E-3',
  '123456789012345',
  '999999999999999',
  '1000000000000000',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567',
  '0.1234567890123456',
  '1.0000000000000002',
  '1.00000000000000011102230246251565404236316680908203125',
  '1.00000000000000011102230246251565404236316680908203124',
  '1.00000000000000033306690738754696212708950042724609375',
  '0.500000000000000166533453693773481063544750213623046875',
  '9007199254740992.5',
  '5e-324',
  '2.4703282292062328e-324',
  '2.4703282292062327e-324',
  '2.2250738585072011e-308',
  '2.2250738585072014e-308',
  '1.7976931348623157e308',
  '1e22',
  '1e23',
  '123456789012345e22',
  '999999999999999e22',
  '999999999999999e23',
  '1e-22',
  '1e-23',
  '999999999999999e-22',
  '123456789012345e-23',
  '0.0000000000000000000001',
  '0.00000000000000000000001',
  '1.100000000000000000000000',
  '8.41e21',
  '4503599627370497.5',
  '1e-400',
  '0.1e1',
  '10e-1',
  '100000000000000000000000000000000000000e-38',
  `0.${'0'.repeat(330)}1e331`,
  `1${'0'.repeat(40)}`,
  `0.1${'0'.repeat(40)}`,
  '2147483647',
  '-2147483648',
  '2147483648',
] as const

const shortEscapes = new Map([...'"\\/\b\f\n\r\t'].map((letter, i) => [letter, `\\${'"\\/bfnrt'[i]}`]))
const blanks = [' ', '\n', '\t', '\r\n', '  \n   '] as const

/** Writes JSON in one of the many ways in which it can be written. */
export class Spelling {
  readonly #chance: Chance
  /** One in so many places has blanks, one in so many characters an escape; 0 for none. */
  readonly #blank: number
  readonly #escape: number

  constructor(chance: Chance) {
    this.#chance = chance
    this.#blank = chance.of([0, 0, 2, 12])
    this.#escape = chance.of([0, 0, 2, 12])
  }

  blank(): string {
    return this.#blank > 0 && this.#chance.once(this.#blank) ? this.#chance.of(blanks) : ''
  }

  text(text: string): string {
    if (this.#escape === 0) return JSON.stringify(text)
    let out = ''
    for (const letter of text) out += this.#chance.once(this.#escape) ? this.#escaped(letter) : plain(letter)
    return `"${out}"`
  }

  #escaped(letter: string): string {
    const short = shortEscapes.get(letter)
    if (short && this.#chance.once(2)) return short
    const units = Array.from({ length: letter.length }, (_, i) => letter.charCodeAt(i).toString(16).padStart(4, '0'))
    return units.map((unit) => `\\u${this.#chance.once(2) ? unit : unit.toUpperCase()}`).join('')
  }

  #whole(value: number): string {
    if (value === 0 || !Number.isSafeInteger(value)) return JSON.stringify(value)
    const digits = `${value}`
    return this.#chance.of([digits, digits, digits, `${digits}.0`, `${digits}e0`, `${digits}0E-1`, `${digits}.00e+0`])
  }

  number(value: number): string {
    if (Number.isInteger(value)) return this.#whole(value)
    const exponential = value.toExponential()
    return this.#chance.of([
      JSON.stringify(value),
      JSON.stringify(value),
      exponential,
      exponential.replace('e', 'E'),
      value.toPrecision(17),
      value.toPrecision(16),
    ])
  }

  list(parts: readonly string[], [open, close]: readonly [string, string]): string {
    const inner = parts.map((part) => `${this.blank()}${part}${this.blank()}`).join(',')
    return `${open}${inner === '' ? this.blank() : inner}${close}`
  }

  object(members: readonly (readonly [string, string])[]): string {
    const parts = members.map(([name, value]) => `${this.text(name)}${this.blank()}:${this.blank()}${value}`)
    return this.list(parts, ['{', '}'])
  }

  value(value: unknown): string {
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.number(value)
    if (Array.isArray(value)) {
      const parts = value.map((part) => this.value(part))
      return this.list(parts, ['[', ']'])
    }
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    return this.object(Object.entries(value).map(([name, part]) => [name, this.value(part)]))
  }

  /** A cell, and now and then a number that is hard to read in its place. */
  cell(column: Column, value: unknown): string {
    return column.kind === 'number' && this.#chance.once(6) ? this.#chance.of(hardNumbers) : this.value(value)
  }
}

/** A letter as it stands, with an escape only where JSON wants one. */
function plain(letter: string): string {
  return JSON.stringify(letter).slice(1, -1)
}
