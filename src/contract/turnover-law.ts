/** The least share of a price by which an average may lie beyond the day's range: what rounded prices do to it. */
const slack = 0.01

/** Half of what a rounded number may be off: of the power of ten, at most `most`, of which it is a multiple. */
function halfStep(value: number, most: number): number {
  let step = most
  while (step > 1 && value % step !== 0) step /= 10
  return step / 2
}

/**
 * Whether turnover / (volume x unit), the average price of a bar, lies between its low and its high, by what rounding allows: one percent of
 * either price, half a unit of the volume (half of 100 if single shares come in hundreds), half of the last digit of the turnover, which
 * may count 10,000 yuan. True without trade, and if a number is missing (NaN).
 * @param unit shares, fund units or bonds in one of the volume
 */
export function averageLies(amount: number, vol: number, unit: number, low: number, high: number): boolean {
  const average = amount / (vol * unit)
  if ((average >= low && average <= high) || vol === 0 || Number.isNaN(amount + vol + unit + low + high)) return true
  if (vol < 0) return false
  const [counted, turned] = [unit === 1 && vol % 100 === 0 ? 50 : 0.5, halfStep(amount, 10_000)]
  const least = (amount - turned) / ((vol + counted) * unit)
  const most = vol > counted ? (amount + turned) / ((vol - counted) * unit) : Number.POSITIVE_INFINITY
  return least <= high * (1 + slack) && most >= low * (1 - slack)
}
