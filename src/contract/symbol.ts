/** The exchange of a code: Shanghai, Shenzhen, Beijing, Hong Kong. */
export type Exchange = 'SH' | 'SZ' | 'BJ' | 'HK'

/**
 * Exchange that a bare code belongs to by its first digits, for stocks, funds and bonds; undefined when they do not tell.
 * Source: numbering of the exchanges (Shanghai 5, 6, 9 and bonds 11; Shenzhen 0, 15, 16, 2, 3 and bonds 12;
 * Beijing 4, 8, 92; Hong Kong five digits).
 */
export function exchangeOf(bare: string): Exchange | undefined {
  if (/^\d{5}$/.test(bare)) return 'HK'
  if (!/^\d{6}$/.test(bare)) return undefined
  if (/^(92|[48])/.test(bare)) return 'BJ'
  if (/^(5|6|9|11)/.test(bare)) return 'SH'
  return /^(0|1[2568]|2|3)/.test(bare) ? 'SZ' : undefined
}

export interface Code {
  readonly bare: string
  readonly exchange: Exchange | undefined
}

const suffixes: Readonly<Record<string, Exchange>> = { SH: 'SH', SZ: 'SZ', BJ: 'BJ', HK: 'HK' }

/** `510300.SH` and `510300` alike. A suffix is taken at its word. */
export function parseCode(code: string): Code {
  const at = code.length - 3
  if (at < 1 || code[at] !== '.') return { bare: code, exchange: undefined }
  const suffix = code.slice(at + 1)
  const exchange = suffixes[suffix] ?? (/^[a-z]+$/i.test(suffix) ? suffixes[suffix.toUpperCase()] : undefined)
  return exchange ? { bare: code.slice(0, at), exchange } : { bare: code, exchange: undefined }
}

/** The exchange of a code, by its suffix or its number. */
export function ownExchange({ bare, exchange }: Code): Exchange | undefined {
  return exchange ?? exchangeOf(bare)
}

/** A code as a column spells it, or undefined where its market can not be told, or its suffix and its number disagree. */
export function spelled(code: string, spelling: 'full' | 'bare'): string | undefined {
  const { bare, exchange } = parseCode(code)
  const byNumber = exchangeOf(bare)
  if (spelling === 'bare') return exchange && byNumber && exchange !== byNumber ? undefined : bare
  const market = exchange ?? byNumber
  return market && `${market === 'HK' ? bare.padStart(5, '0') : bare}.${market}`
}

/**
 * A test for "is this one of the codes asked for", in either spelling on either side.
 * Where both sides name an exchange they must agree: `000001.SH` is an index, `000001` in a stock list is Shenzhen's.
 */
export function codeMatcher(wanted: readonly string[]): (code: string) => boolean {
  const exchanges = new Map<string, Set<Exchange | undefined>>()
  for (const text of wanted) {
    const { bare, exchange } = parseCode(text)
    const known = exchanges.get(bare)
    if (known) known.add(exchange)
    else exchanges.set(bare, new Set([exchange]))
  }
  return (text) => {
    const { bare, exchange } = parseCode(text)
    const asked = exchanges.get(bare)
    if (!asked) return false
    const own = ownExchange({ bare, exchange })
    return own === undefined || asked.has(undefined) || asked.has(own)
  }
}

/** Whether a code is of the Beijing exchange, by its suffix or its number. */
export function isBeijing(code: string): boolean {
  const { bare, exchange } = parseCode(code)
  return ownExchange({ bare, exchange }) === 'BJ'
}
