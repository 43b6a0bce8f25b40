import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** How far a query is, for who waits for it; a page that is done does not say it. */
function isProgress(data) {
  return data['text/html']?.startsWith('<progress ') === true
}

/**
 * Gathers what a kernel tells: outputs by cell, in the order they came, and failures. An output is
 * `{ type: 'stream', name, text }`, `{ type: 'display', data }` (by MIME type) or `{ type: 'failure', … }`.
 * Where the notebook lies is left out of every text.
 */
export function collect(folder) {
  const outputs = new Map()
  const failures = []
  const above = dirname(folder)
  const places = [[`${folder}/`, ''], [folder, '.'], ...(above === dirname(above) ? [] : [[`${above}/`, '../']])]
  const plain = (text) =>
    places.reduce((said, [place, sign]) => said.replaceAll(place, sign), stripVTControlCharacters(text))
  const of = (cell) => {
    if (!outputs.has(cell)) outputs.set(cell, [])
    return outputs.get(cell)
  }
  function fail({ type, expected = false, ...failure }) {
    const told = { ...failure, type: 'failure', expected, message: plain(failure.message) }
    of(failure.cell).push(told)
    if (!expected) failures.push(told)
  }
  const takers = {
    stream({ cell, name, text }) {
      const last = of(cell).at(-1)
      if (last?.type === 'stream' && last.name === name) last.text += plain(text)
      else of(cell).push({ type: 'stream', name, text: plain(text) })
    },
    display({ cell, data, display, update }) {
      if (isProgress(data)) return
      const earlier = update ? [...outputs.values()].flat().find((output) => output.display === display) : undefined
      if (earlier) earlier.data = data
      else of(cell).push({ type: 'display', data, display })
    },
    failure: fail,
    more({ cell, message }) {
      const told = of(cell).findLast(({ type }) => type === 'failure')
      told.more = [...(told.more ?? []), plain(message)]
    },
  }
  return { outputs, failures, fail, take: (event) => takers[event.type]?.(event) }
}
