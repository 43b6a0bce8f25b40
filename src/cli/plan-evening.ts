import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { say } from './chosen-language.js'

/** A strategy, and the folder of its paper account, that each evening is planned with. */
export interface EveningPlan {
  readonly file: string
  readonly account: string
}

/**
 * Plans the evening of an archive by `quotebook plan`, in a process of its own: a strategy's code may do no harm to who follows a source. Its page is
 * `plan.html` in the folder of the account.
 * @returns what it said, a line each, and whether there is a plan; there is none where data are due and missing
 */
export async function planEvening(
  { file, account }: EveningPlan,
  archive: string,
): Promise<{ lines: readonly string[]; isPlanned: boolean }> {
  const words = ['plan', file, '--account', account, '--source', archive, '--out', join(account, 'plan.html')]
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] as string, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let heard = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  const [code] = await once(child, 'close')
  const lines = heard.split('\n').filter((line) => line !== '')
  return {
    lines: code === 0 ? lines : [...lines, say('{file}: no plan of this evening yet', { file })],
    isPlanned: code === 0,
  }
}
