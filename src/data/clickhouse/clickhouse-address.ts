import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** A ClickHouse server and a database in it. */
export interface ClickHouseAddress {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string
  readonly database: string
  readonly user?: string | undefined
  readonly password?: string | undefined
}

/** Ports of a server's HTTP interface. */
const [plainPort, securePort] = ['8123', '8443']

function usage(what: Words): QuotebookError {
  const right = sentence`clickhouse://user@host:8123/database; clickhouses:// for TLS`
  return new QuotebookError('USAGE', sentence`${what}; an address is ${right}`)
}

/** Whether a text is the address of a ClickHouse server. */
export function isClickHouseAddress(text: string): boolean {
  return /^clickhouses?:\/\//i.test(text)
}

/** A text without what stands before the @, for messages. */
function shown(text: string): string {
  return text.replace(/\/\/.*@/s, '//').replace(/[?#].*$/s, '')
}

/**
 * An address as text or in parts. The password may stand in it; better it comes from elsewhere.
 * @param password the one that counts where the address has none
 * @throws QuotebookError USAGE; the message has neither user nor password
 */
export function clickHouseAddress(given: string | ClickHouseAddress, password?: string): ClickHouseAddress {
  if (typeof given === 'object' && given !== null) return checkedParts(given, password)
  if (typeof given !== 'string' || !isClickHouseAddress(given))
    throw usage(sentence`that is no address of a ClickHouse server`)
  let url: URL
  try {
    url = new URL(given.replace(/^clickhouse/i, 'http'))
  } catch {
    throw usage(sentence`${shown(given)} is no address`)
  }
  if (url.search || url.hash) throw usage(sentence`${shown(given)} has something after its database`)
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part)
    } catch {
      throw usage(sentence`${shown(given)} has a % that stands for nothing`)
    }
  }
  const database = decoded(url.pathname.slice(1))
  const isSecure = url.protocol === 'https:'
  // An address of http without a port has 80, which no ClickHouse has.
  const port = url.port || (isSecure ? securePort : plainPort)
  return checkedParts(
    {
      url: `${url.protocol}//${url.hostname}:${port}`,
      database,
      user: url.username === '' ? undefined : decoded(url.username),
      password: url.password === '' ? undefined : decoded(url.password),
    },
    password,
  )
}

function checkedParts(given: ClickHouseAddress, more?: string): ClickHouseAddress {
  const kinds = { url: 'any', database: 'text', user: 'text', password: 'text' } as const
  const { url, database, user, password } = checkOptions(given, kinds, 'clickhouse')
  let parsed: URL
  try {
    parsed = new URL(String(url))
  } catch {
    throw usage(sentence`url is no address`)
  }
  if (!/^https?:$/.test(parsed.protocol)) throw usage(sentence`url must begin with http:// or https://`)
  if (parsed.username || parsed.password)
    throw usage(sentence`url has a user or a password in it: they are options of their own`)
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(String(database))) {
    throw usage(sentence`the name of the database must be letters, digits and _, not ${JSON.stringify(database)}`)
  }
  return { url: parsed.origin, database, user, password: password ?? more }
}

/** The address as people may see it: `clickhouse://host:port/database`. */
export function clickHouseName({ url, database }: ClickHouseAddress): string {
  return `${url.replace(/^http/, 'clickhouse')}/${database}`
}
