/** A folder behind HTTP, and what it is asked with. */
export interface FolderAddress {
  /** Address of the folder. As good as a password: it is never shown. */
  readonly folder: string
  /** Undefined where no password is sent. */
  readonly authorization: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Basic authentication (RFC 7617); the user has no colon. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}
