/**
 * What is said of candidates that bring a forecast along: rows of a later day than the one asked for, or, of the latest day,
 * than the earliest there is. Undefined where the rows do not show it.
 */
export function forecastNote(days: readonly string[], asked: unknown): string | undefined {
  const [first, ...later] = [...days].sort()
  const day = typeof asked === 'string' ? asked : later.length > 0 ? first : undefined
  if (day === undefined || !days.some((one) => one > day)) return undefined
  return `${day} and the forecast for the next trading day`
}
