import type { ServerResponse } from 'node:http'

/** Ends when more may be written; false when the reader is gone. */
export function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve(!response.destroyed)
    }
    if (response.destroyed) resolve(false)
    else response.on('drain', end).on('close', end)
  })
}
