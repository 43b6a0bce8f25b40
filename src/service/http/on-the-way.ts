import type { IncomingMessage, ServerResponse } from 'node:http'

/** Smaller answers take little room however slowly they are read. */
const small = 2 ** 16

/** Large answers that were written and that their readers have not taken yet. */
export interface OnTheWay {
  readonly bytes: number
  /** Counts an answer of so many bytes until it is taken, or nobody is there any more. */
  add(request: IncomingMessage, response: ServerResponse, bytes: number): void
}

export function onTheWay(): OnTheWay {
  let all = 0
  const open = new Map<IncomingMessage['socket'], number>()
  const count = (socket: IncomingMessage['socket'], more: number): void => {
    open.set(socket, (open.get(socket) ?? 0) + more)
    all += more
  }
  return {
    get bytes() {
      return all
    },
    add({ socket }, response, bytes) {
      if (bytes < small || socket.destroyed) return
      if (!open.has(socket)) {
        socket.once('close', () => {
          all -= open.get(socket) ?? 0
          open.delete(socket)
        })
      }
      count(socket, bytes)
      response.once('close', () => {
        if (open.has(socket)) count(socket, -bytes)
      })
    },
  }
}
