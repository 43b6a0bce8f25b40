import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A script of this folder in a process of its own, and the first message that it sends. */
export async function child(name, words = [], execArgv = []) {
  const process = fork(fileURLToPath(new URL(name, import.meta.url)), words, { execArgv })
  const failed = once(process, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)))
  const [said] = await Promise.race([once(process, 'message'), failed])
  failed.catch(() => {})
  return { said, pid: process.pid, close: () => process.kill() }
}

/** Codes and trading-like days, as many as asked. */
export const codes = (count) => Array.from({ length: count }, (_, at) => `${510000 + at}.SH`)
