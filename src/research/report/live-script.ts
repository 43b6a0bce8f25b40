import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import root from '#root'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

let script: string | undefined

/** The script that makes charts answer; src/build/lib.mjs builds it. @throws QuotebookError PACKAGE when it is not there */
export function liveScript(): string {
  try {
    script ??= readFileSync(join(root, 'dist', 'lib', 'live-page.js'), 'utf8').trim()
    return script
  } catch (cause) {
    throw new QuotebookError(
      'PACKAGE',
      sentence`the script of the page is not there: dist/lib of the package is missing`,
      {
        cause,
      },
    )
  }
}

/** JSON that can stand in a script element. Numbers are whole doubles: cut ones would be rounded otherwise than in the tables. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
