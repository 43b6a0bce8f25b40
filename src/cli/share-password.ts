import { read } from 'read'
import { InterruptedError } from './interrupt.js'

/**
 * The password of a share: QUOTEBOOK_SHARE_PASSWORD, or typed at a prompt that does not show it, nor the link. Undefined for a
 * folder, for an empty answer, and where there is no terminal to ask at: a share may have none.
 */
export async function sharePassword(link: string): Promise<string | undefined> {
  const given = process.env.QUOTEBOOK_SHARE_PASSWORD
  if (given !== undefined) return given === '' ? undefined : given
  if (!/^https?:/i.test(link) || !process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const prompt = 'password of the share (empty when it has none): '
  const typed = await read({ prompt, silent: true, output: process.stderr }).catch(() => {
    process.stderr.write('\n')
    throw new InterruptedError()
  })
  return typed === '' ? undefined : typed
}
