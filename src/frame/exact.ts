const digitsOf = (text: string): string =>
  text
    .replace('-', '')
    .replace(/\.(\d*?)0*$/, '.$1')
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/0+$/, '')

/** Shortest digits of a number, without an exponent. */
function mantissa(number: number): string {
  const [digits = '', exponent] = String(number).split('e')
  return exponent === undefined ? digits : digits
}

/** The double that prints as the digits of a decimal; undefined when there is none. */
export function exactDouble(text: string): number | undefined {
  const number = Number(text)
  const digits = digitsOf(text)
  return digits.length > 15 && digitsOf(mantissa(number)) !== digits ? undefined : number
}
