/*
 * Codes are numbered as the exchanges number them. Every list begins with the same named codes and goes on by counting,
 * so a larger sample holds a smaller one.
 */

const etfs =
  '510300.SH 510050.SH 159915.SZ 588000.SH 510500.SH 159941.SZ 512880.SH 159919.SZ 513050.SH 518880.SH'.split(' ')

const bonds =
  '123124.SZ 110059.SH 113050.SH 127045.SZ 118003.SH 123107.SZ 110073.SH 113021.SH 128136.SZ 111010.SH 123085.SZ 127018.SZ 113052.SH 110085.SH 118022.SH 123158.SZ 128095.SZ 113641.SH 127061.SZ 111002.SH'.split(
    ' ',
  )

const stocks =
  '000001 600519 688001 300750 920002 000333 000651 000725 000858 001872 002230 002304 002415 002569 002594 300015 300059 300124 300274 300760 301236 600000 600030 600036 600276 600289 600887 601008 601318 601601 601888 603259 603288 605358 688012 688036 688111 688981 920118 920489'.split(
    ' ',
  )

const etfRanges = ['511000-519999.SH', '560000-563999.SH', '159001-159999.SZ', '588001-588999.SH']
const bondRanges = ['123001-123999.SZ', '113001-113999.SH', '127001-127999.SZ', '110001-110999.SH', '118001-118999.SH']
const stockRanges = ['600001-605999', '000002-003999', '300001-301999', '688002-688999', '920001-920999']

function* counted(ranges: readonly string[]): Iterable<string> {
  for (const range of ranges) {
    const [span = '', suffix] = range.split('.')
    const [first = '', last = ''] = span.split('-')
    for (let code = Number(first); code <= Number(last); code++) {
      const text = String(code).padStart(6, '0')
      yield suffix ? `${text}.${suffix}` : text
    }
  }
}

function codes(named: readonly string[], ranges: readonly string[], count: number): string[] {
  const out = named.slice(0, count)
  const taken = new Set(named)
  if (out.length === count) return out
  for (const code of counted(ranges)) {
    if (taken.has(code)) continue
    out.push(code)
    if (out.length === count) break
  }
  return out
}

export const etfCodes = (count: number): string[] => codes(etfs, etfRanges, count)
export const bondCodes = (count: number): string[] => codes(bonds, bondRanges, count)
export const stockCodes = (count: number): string[] => codes(stocks, stockRanges, count)
