import type { Schemas } from './schema.js'

const year = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'

/** Real dates of the calendar only, without look-around: engines without backtracking take it too. */
function day(between: '' | '-'): string {
  const month31 = `(?:0[13578]|1[02])${between}(?:0[1-9]|[12][0-9]|3[01])`
  const month30 = `(?:0[469]|11)${between}(?:0[1-9]|[12][0-9]|30)`
  const february = `02${between}(?:0[1-9]|1[0-9]|2[0-8])`
  return `(?:${year}${between}(?:${month31}|${month30}|${february})|${leapYear}${between}02${between}29)`
}

const minute = '(?:[01][0-9]|2[0-3])[0-5][0-9]'
const offset = '(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)'
const clock = `[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?\\s*${offset}?`

/** Texts that have a form of their own; what a pattern can not say (a range that is reversed) the service checks. */
export const textSchemas: Schemas = {
  Date: {
    type: 'string',
    pattern: `^${day('')}$`,
    description: 'A date of the calendar, `YYYYMMDD`, Beijing.',
    examples: ['20260701'],
  },
  Minute: { type: 'string', pattern: `^${minute}$`, description: 'A minute, `HHmm`, Beijing.', examples: ['1000'] },
  Clock: {
    type: 'string',
    pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?$',
    description: 'A time of the day, `HH:mm:ss` or `HH:mm:ss.mmm`, Beijing unless the field says otherwise.',
    examples: ['09:30:00'],
  },
  Moment: {
    type: 'string',
    pattern: `^(?:${day('-')}|${day('')})(?:${clock})?$`,
    description:
      'A point in time: `YYYYMMDD` or `YYYY-MM-DD` (the end of that day), or ISO 8601; without an offset, Beijing time.',
    examples: ['20260630', '2026-06-30T15:00:00+08:00'],
  },
  Values: {
    anyOf: [
      { type: 'string', pattern: '[^\\s,]' },
      { type: 'array', minItems: 1, items: { type: 'string', pattern: '\\S' }, contains: { pattern: '[^\\s,]' } },
    ],
    description: 'One value, several with commas between them, or an array. Strings only: numbers lose leading zeros.',
    examples: ['000001', '000001.SZ,600000.SH', ['000001', '600000.SH']],
  },
}
