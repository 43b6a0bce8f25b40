import { QuotebookError } from './error.js'
import { sentence } from './sentence.js'

/** A URL of Redis as it may be shown. @throws QuotebookError USAGE, without the text, which may hold a password */
export function shownRedis(url: string): string {
  const found = /^rediss?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined
  if (!found?.hostname)
    throw new QuotebookError('USAGE', sentence`that is no address of a Redis, as redis://localhost:6379`)
  return `${found.protocol}//${found.host}`
}
