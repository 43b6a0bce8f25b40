import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HeldFile, isUnchanged } from './held-file.js'
import { fileType, httpDate } from './multistatus.js'
import { verdictOf } from './precondition.js'
import type { Range } from './range.js'
import { say } from './say.js'

const piece = 2 ** 18

/** Ends when more may be written; false when nobody listens any more. */
function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve(!response.destroyed)
    }
    if (response.destroyed) resolve(false)
    else response.on('drain', end).on('close', end)
  })
}

/** Sends bytes of an open file. Should they change meanwhile, the last piece is kept back and the connection cut. */
async function send(response: ServerResponse, held: HeldFile, { start, end }: Range): Promise<void> {
  for (let position = start; position <= end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(piece, end - position + 1))
    const { bytesRead } = await held.handle.read(buffer, 0, buffer.length, position)
    position += bytesRead
    if (bytesRead === 0 || response.destroyed || (position > end && !(await isUnchanged(held)))) {
      response.destroy()
      return
    }
    if (!response.write(buffer.subarray(0, bytesRead)) && !(await drained(response))) return
  }
  response.end()
}

/** Answers a GET or HEAD of a file from the descriptor that is held: all that is sent is of the file with this sha256. */
export async function download(
  request: IncomingMessage,
  response: ServerResponse,
  held: HeldFile,
  sha256: string,
): Promise<void> {
  const { size, modified } = held
  const etag = `"${sha256}"`
  const verdict = verdictOf(request.method ?? '', request.headers, { etag, modified, size })
  const about = {
    etag,
    'last-modified': httpDate(modified),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  }
  if (verdict.status === 304) {
    response.writeHead(304, about).end()
    return
  }
  if (verdict.status === 412) return say(response, 412, 'The file is not the one that the condition names.\n')
  if (verdict.status === 416) {
    const headers = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' }
    return say(response, 416, `The file has ${size} bytes.\n`, headers)
  }
  const range = verdict.status === 206 ? verdict.range : { start: 0, end: size - 1 }
  response.writeHead(verdict.status, {
    ...about,
    'content-type': fileType,
    'content-length': range.end - range.start + 1,
    'x-content-type-options': 'nosniff',
    ...(verdict.status === 206 ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  })
  if (request.method === 'HEAD') response.end()
  else await send(response, held, range)
}
