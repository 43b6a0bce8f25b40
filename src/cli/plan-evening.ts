import { join } from 'node:path'
import { say } from './chosen-language.js'
import { heardOf, ownProcess } from './own-process.js'

/**
 * Plans the evening of an archive by `quotebook plan`, in a process of its own: a strategy's code may do no harm to who follows a source. Its page is
 * `plan.html` in the folder of the account.
 * @returns what it said, a line each, and whether there is a plan; there is none where data are due and missing
 */
export async function planEvening(
  file: string,
  account: string,
  archive: string,
): Promise<{ lines: readonly string[]; isPlanned: boolean }> {
  const words = ['plan', file, '--account', account, '--source', archive, '--out', join(account, 'plan.html')]
  const { code, stderr } = await heardOf(ownProcess(words, { stdio: ['ignore', 'ignore', 'pipe'] }))
  const lines = stderr.split('\n').filter((line) => line !== '')
  return {
    lines: code === 0 ? lines : [...lines, say('{file}: no plan of this evening yet', { file })],
    isPlanned: code === 0,
  }
}
