import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** What Jupyter writes into the file of a connection. */
export interface KernelConnection {
  readonly transport: string
  readonly ip: string
  readonly key: string
  readonly shell_port: number
  readonly iopub_port: number
  readonly control_port: number
  readonly stdin_port: number
  readonly hb_port: number
}

interface Header {
  readonly msg_id?: string
  readonly msg_type: string
  readonly session?: string
  readonly username?: string
}

/** A message of Jupyter's protocol, with whom its answers go to. https://jupyter-client.readthedocs.io/en/stable/messaging.html */
export interface Message {
  readonly from: readonly Buffer[]
  readonly header: Header
  readonly metadata: Readonly<Record<string, unknown>>
  readonly content: Readonly<Record<string, unknown>>
}

const delimiter = '<IDS|MSG>'

function signature(key: string, parts: readonly (string | Buffer)[]): string {
  const sum = createHmac('sha256', key)
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}

/** Undefined if the frames are no message, or its signature is not that of the key. */
export function readMessage(key: string, frames: readonly Buffer[]): Message | undefined {
  const at = frames.findIndex((frame) => frame.toString() === delimiter)
  const [signed, header, , metadata, content, ...none] = frames.slice(at + 1)
  if (at < 0 || !signed || !header || !metadata || !content) return undefined
  const parts = frames.slice(at + 2, frames.length - none.length)
  const wanted = Buffer.from(signature(key, parts))
  if (key !== '' && (signed.length !== wanted.length || !timingSafeEqual(signed, wanted))) return undefined
  return {
    from: frames.slice(0, at),
    header: JSON.parse(header.toString()),
    metadata: JSON.parse(metadata.toString()),
    content: JSON.parse(content.toString()),
  }
}

/** The frames of an answer to a message; of what all get, `topic` is its first. */
export function answerTo(
  key: string,
  parent: Message,
  type: string,
  content: object,
  topic?: string,
): (string | Buffer)[] {
  const { session = '', username = '' } = parent.header
  const header = {
    msg_id: randomUUID(),
    msg_type: type,
    session,
    username,
    date: new Date().toISOString(),
    version: '5.3',
  }
  const parts = [header, parent.header, {}, content].map((part) => JSON.stringify(part))
  const to = topic === undefined ? parent.from : [topic]
  return [...to, delimiter, key === '' ? '' : signature(key, parts), ...parts]
}
