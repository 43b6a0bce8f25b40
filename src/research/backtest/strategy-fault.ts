import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import root from '#root'
import { messageOf, QuotebookError, WordedError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { described } from '../../frame/table/shape.js'

const frame = /^\s+at (?:.*? \()?([^()]+):(\d+):(\d+)\)?$/

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file
  return fileURLToPath(file.replace(/[?#].*$/, ''))
}

/** Where a strategy's code stands in a stack, `FILE:LINE:COLUMN`: what called us, or we called, and not what called the run. */
function userPlace(error: unknown): string | undefined {
  const stack = error instanceof Error ? String(error.stack) : ''
  const own = [join(root, 'dist/'), join(root, 'src/')]
  const files = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => {
      const [, file = '', row, column] = frame.exec(line) ?? []
      const path = pathOf(file)
      const isOwn = own.some((folder) => path.startsWith(folder))
      return { isOwn, place: file === '' || file.startsWith('node:') ? undefined : `${path}:${row}:${column}` }
    })
  const from = files.findIndex(({ isOwn }) => !isOwn)
  const until = files.findIndex(({ isOwn }, at) => isOwn && at > from)
  const places = files.slice(Math.max(0, from), until < 0 ? undefined : until).flatMap(({ place }) => place ?? [])
  return places.find((place) => !place.includes('/node_modules/')) ?? places[0]
}

/** An error of the strategy's own code, with its place, and when and for which code it came. Our own errors stay as they are. */
export function strategyFault(error: unknown, where: Words): QuotebookError {
  if (error instanceof QuotebookError) return error
  const place = userPlace(error)
  const at = place === undefined ? where : sentence`at ${place}, ${where}`
  return new QuotebookError('STRATEGY', sentence`strategy: ${messageOf(error)} (${at})`, { cause: error })
}

/** An error of ours that names the line of the strategy that led to it. */
export function atUserPlace(code: 'MISSING_COLUMN', message: Words): QuotebookError {
  const place = userPlace(new WordedError(message))
  return new QuotebookError(code, place === undefined ? message : sentence`${message} (at ${place})`)
}

/** What a strategy gave, in the words of a message. */
export function givenBack(value: unknown): Words {
  if (
    value instanceof Promise ||
    (typeof value === 'object' && value !== null && typeof Object(value).then === 'function')
  )
    return sentence`a Promise: no function of a strategy is async`
  if (value === undefined) return sentence`undefined: is a return missing?`
  return described(value)
}
