/** What the path of a request asks for. */
export interface Wanted {
  readonly token: string
  /** Name of a file; undefined for the folder. */
  readonly name: string | undefined
  /** The folder was named without the slash at its end. */
  readonly isBare: boolean
}

const path = /^\/share\/([A-Za-z0-9_-]{1,200})(?:\/([^/]{0,200}))?$/

/** A path of the form `/share/TOKEN/NAME`, read literally: nothing is joined, collapsed or normalised. Undefined otherwise. */
export function wantedIn(url: string): Wanted | undefined {
  const [, token, encoded] = path.exec(url.split('?', 1)[0] as string) ?? []
  if (token === undefined) return undefined
  if (!encoded) return { token, name: undefined, isBare: encoded === undefined }
  try {
    return { token, name: decodeURIComponent(encoded), isBare: false }
  } catch {
    return undefined
  }
}
