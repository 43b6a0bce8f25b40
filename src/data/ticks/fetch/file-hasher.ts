import { Worker } from 'node:worker_threads'
import { QuotebookError } from '../../../contract/error.js'

/** Hashes files in a thread of its own, while others are written. */
export interface FileHasher {
  /** sha256 of a whole file in hex. @throws QuotebookError FILE for one that can not be read */
  hash(path: string): Promise<string>
  close(): Promise<void>
}

/** What the thread runs: a file at a time. */
const work = `
const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const { closeSync, openSync, readSync } = require('node:fs')
const buffer = new Uint8Array(262144)
const sumOf = (path) => {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let count; (count = readSync(file, buffer)) > 0; ) hash.update(buffer.subarray(0, count))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
parentPort.on('message', (path) => {
  try {
    parentPort.postMessage({ sum: sumOf(path) })
  } catch (error) {
    parentPort.postMessage({ failed: String(error) })
  }
})`

type Answer = { readonly sum?: string; readonly failed?: string }

/** A thread that hashes, from the first file on; `close` ends it. */
export function startHasher(): FileHasher {
  let thread: Worker | undefined
  /** Who waits, in the order in which the thread answers. */
  const waiting: ((answer: Answer) => void)[] = []

  function start(): Worker {
    const worker = new Worker(work, { eval: true, env: {}, execArgv: [] })
    const lose = (failed: string): void => {
      thread = undefined
      for (const answer of waiting.splice(0)) answer({ failed })
    }
    worker.on('message', (answer: Answer) => waiting.shift()?.(answer))
    worker.on('error', (error) => lose(String(error)))
    worker.on('exit', () => lose('the thread that hashes has ended'))
    return worker
  }

  return {
    hash: (path) =>
      new Promise((resolve, reject) => {
        thread ??= start()
        waiting.push(({ sum, failed }) =>
          sum === undefined ? reject(new QuotebookError('FILE', `a file can not be hashed: ${failed}`)) : resolve(sum),
        )
        thread.postMessage(path)
      }),
    close: async () => void (await thread?.terminate()),
  }
}
