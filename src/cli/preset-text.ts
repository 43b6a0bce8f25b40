import { unitText } from '../contract/dataset-text.js'
import type { ImportRemark } from '../data/archive/import/spelling.js'
import { language, say } from './chosen-language.js'

function unitName(unit: string): string {
  return unitText({ kind: 'number', unit, meaning: '' }, language) as string
}

/** What an import took a file for, and each conversion: `; amount: 10,000 yuan → yuan ×10000`. */
export function presetText({ name, source, units, given }: Extract<ImportRemark, { about: 'preset' }>): string {
  const factor = (shift: number): string => `${shift < 0 ? '÷' : '×'}${10 ** Math.abs(shift)}`
  const kinds = [...new Set(units.map(({ from, to }) => `${from} ${to}`))]
  return [
    say('; taken for {name} ({source})', { name, source }),
    ...kinds.map((kind) => {
      const alike = units.filter(({ from, to }) => `${from} ${to}` === kind)
      const [{ from = '', to = '', shift = 0 } = {}] = alike
      const column = alike.map((one) => one.column).join(', ')
      return say('; {column}: {from} → {to} {factor}', {
        column,
        from: unitName(from),
        to: unitName(to),
        factor: factor(shift),
      })
    }),
    ...Object.entries(given).map(([column, value]) =>
      say('; {column} is {value}: the table does not tell it in its rows', { column, value }),
    ),
  ].join('')
}
