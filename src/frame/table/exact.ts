/** The digits that count: no sign, point, leading or trailing zeros. */
function digitsOf(text: string): string {
  return text
    .replace('-', '')
    .replace(/\.(\d*?)0*$/, '.$1')
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/0+$/, '')
}

/** Shortest digits of a number, without an exponent. */
function mantissa(number: number): string {
  return String(number).split('e')[0] as string
}

/** The double that prints as the digits of a decimal; undefined when there is none. */
export function exactDouble(text: string): number | undefined {
  const number = Number(text)
  return digitsOf(text).length > 15 && digitsOf(mantissa(number)) !== digitsOf(text) ? undefined : number
}
