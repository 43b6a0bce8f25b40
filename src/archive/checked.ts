import { stat } from 'node:fs/promises'

/** Files whose bytes were held against a checksum, with what they were then. */
const checked = new Map<string, string>()

/** Changes when a file is replaced or written to. */
export async function fileStamp(path: string): Promise<string> {
  const { ino, mtimeNs, ctimeNs, size } = await stat(path, { bigint: true })
  return `${ino} ${mtimeNs} ${ctimeNs} ${size}`
}

/** Whether the file has been held against this checksum, and has not been touched since. */
export function wasVerified(path: string, stamp: string, sum: string): boolean {
  return checked.get(path) === `${stamp} ${sum}`
}

/** Keeps that the bytes of a file are those of the checksum. @param stamp taken before they were read */
export function rememberVerified(path: string, stamp: string, sum: string): void {
  checked.set(path, `${stamp} ${sum}`)
}
