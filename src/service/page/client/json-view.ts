import type { Dataset } from '../../../contract/dataset.js'
import type { Context } from './context.js'
import { button, make } from './dom.js'
import { type Instead, indented } from './json-text.js'

const most = 100_000
const hidden = '"••••••••"'

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = make('a', { href: address, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The answer as it came, indented; a big one in part. Credentials are dots here, and whole in the file. */
export function jsonView(
  { say }: Context,
  dataset: Dataset,
  text: string,
  isJson: boolean,
  apikey: string,
): HTMLElement {
  const secrets = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.secret)
  const instead: Instead = (name, value) => {
    if (secrets.some((secret) => name === `"${secret}"`)) return value === '""' ? value : hidden
    return name === '"message"' ? masked(value, apikey) : undefined
  }
  const plain = { text: masked(text.slice(0, most), apikey), whole: text.length <= most }
  const pretty = isJson ? indented(text, most, instead) : plain
  const note =
    !pretty.whole && make('p', { class: 'note' }, say('cut', { shown: pretty.text.length, count: text.length }))
  const buttons = make(
    'div',
    { class: 'row' },
    button(say('download'), () => download(`${dataset.name}.json`, text)),
    secrets.length > 0 && make('small', {}, say('downloadSecret')),
  )
  const pre = make('pre', { class: 'json', tabindex: 0, role: 'region', 'aria-label': say('json') }, pretty.text)
  return make('div', {}, buttons, note, pre)
}

/** A text of the service without the caller's key, should it repeat it. */
export function masked(text: string, apikey: string): string {
  return apikey.length < 8 ? text : text.replaceAll(apikey, '<API_KEY>')
}
