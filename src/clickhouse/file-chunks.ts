import { ByteFeed } from './byte-feed.js'
import { type ClickHouseClient, quotedName, type StatementOptions, textLiteral } from './clickhouse-client.js'
import { TextWriter } from './text-cells.js'

/** Bytes of a chunk: a row is held in memory whole, on either side. */
const chunkSize = 2 ** 20

/** The statement that makes a table of files as they came, in chunks. */
export function chunkTable(table: string): string {
  return `create table if not exists ${quotedName(table)} (file String, chunk UInt32, bytes String)
    engine = MergeTree partition by tuple() order by (file, chunk)`
}

function* rowsOf(file: string, bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, chunk = 0; at === 0 || at < bytes.length; at += chunkSize, chunk++) {
    const part = bytes.subarray(at, at + chunkSize)
    const head = new TextWriter(file.length * 3 + 32)
    head.text(file)
    const number = new Uint8Array(Uint32Array.of(chunk).buffer)
    const length = new TextWriter(8)
    length.length(part.length)
    yield Buffer.concat([head.bytes, number, length.bytes])
    yield part
  }
}

/** Puts a file into a table of chunks. @throws as the client's `insert` does */
export async function insertFile(
  client: ClickHouseClient,
  table: string,
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
  options: StatementOptions = {},
): Promise<void> {
  const into = `insert into ${quotedName(table)} (file, chunk, bytes) format RowBinary`
  await client.send(into, rowsOf(file, bytes), options)
}

/** The bytes of a file; none of a file that is not there. @throws as the client's `blocks` does */
export async function readFile(
  client: ClickHouseClient,
  table: string,
  file: string,
  options: StatementOptions = {},
): Promise<Uint8Array> {
  const from = `select bytes from ${quotedName(table)} where file = ${textLiteral(file)} order by chunk format RowBinary`
  const feed = new ByteFeed(client.read(from, options))
  const parts: Uint8Array[] = []
  while (await feed.begins()) parts.push(Buffer.from(await feed.take(await feed.varint())))
  return Buffer.concat(parts)
}
