import type { Dataset } from '../../../contract/dataset.js'
import { cellContent } from './cell.js'
import { numberText } from './cell-text.js'
import type { Context } from './context.js'
import { button, make, rich } from './dom.js'
import { indented, isLongNumber } from './json-text.js'
import { columnMeaning, unitText } from './texts.js'

/** A credential: dots until it is asked for, then the text, until it is hidden again. */
function secretValue({ say }: Context, text: string): HTMLElement {
  const shown = make('code', { class: 'secret' }, '••••••••')
  const press = (): void => {
    const isOpen = toggle.getAttribute('aria-pressed') === 'true'
    shown.textContent = isOpen ? '••••••••' : text
    toggle.textContent = say(isOpen ? 'reveal' : 'hide')
    toggle.setAttribute('aria-pressed', String(!isOpen))
  }
  const toggle = button(say('reveal'), press, { 'aria-pressed': 'false' })
  return make('span', { class: 'row' }, shown, toggle)
}

function nested(value: object): HTMLElement {
  const text = JSON.stringify(value, (_, part: unknown) => (isLongNumber(part) ? part.digits : part))
  const pretty = indented(text, 50_000).text
  const lines = pretty.split('\n').length
  const pre = make('pre', { class: 'json', tabindex: 0 }, pretty)
  if (lines <= 6) return pre
  const size = Array.isArray(value) ? `[ ${value.length} ]` : `{ ${Object.keys(value).join(', ').slice(0, 60)} }`
  return make('details', {}, make('summary', {}, make('code', {}, size)), pre)
}

/** One record, a row for each of its values. */
export function recordView(
  context: Context,
  dataset: Dataset,
  fields: readonly string[],
  row: readonly unknown[],
): HTMLElement {
  const { say, language } = context
  const rows = fields.map((name, i) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const value = row[i]
    const unit = unitText(column, language)
    const isNested = typeof value === 'object' && value !== null && numberText(value) === undefined
    const shown =
      column?.secret && typeof value === 'string' && value !== ''
        ? secretValue(context, value)
        : isNested
          ? nested(value)
          : cellContent(value, column)
    const isNumber = numberText(value) !== undefined
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', { class: 'value' }, shown, isNumber && unit !== undefined && make('small', {}, ` ${unit}`)),
      make('td', { class: 'prose meaning' }, ...rich(columnMeaning(dataset, name, language) ?? say('unknownColumn'))),
    )
  })
  const titles = (['column', 'value', 'meaning'] as const).map((word) => make('th', { scope: 'col' }, say(word)))
  const table = make(
    'table',
    { class: 'record' },
    make('thead', {}, make('tr', {}, ...titles)),
    make('tbody', {}, ...rows),
  )
  return make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': say('record') }, table)
}
