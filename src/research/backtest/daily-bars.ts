/** Columns of bars, time by time and within a time symbol by symbol. */
interface Bars {
  readonly perDay: number
  readonly width: number
  /** 1 where there is a row. */
  readonly present: Uint8Array
  /** Volumes of the bars, if they have some. */
  readonly vol: Float64Array | undefined
}

type Step = (soFar: number, value: number) => number

const first: Step = (soFar, value) => (Number.isNaN(soFar) ? value : soFar)
const last: Step = (soFar, value) => (Number.isNaN(value) ? soFar : value)
const sum: Step = (soFar, value) => (Number.isNaN(soFar) ? value : Number.isNaN(value) ? soFar : soFar + value)
const highest: Step = (soFar, value) => (value <= soFar || Number.isNaN(value) ? soFar : value)
const lowest: Step = (soFar, value) => (value >= soFar || Number.isNaN(value) ? soFar : value)

/** How a day comes of its bars, by the name of the column; the last value of a day counts in any other. */
const steps: Readonly<Record<string, Step>> = {
  open: first,
  high: highest,
  low: lowest,
  pre_close: first,
  vol: sum,
  amount: sum,
}

/** Prices of a bar without trade say nothing. */
const ofTrade = ['open', 'high', 'low', 'close']

/** Which cells of days have a row of bars. */
export function dailyRows({ perDay, width, present }: Pick<Bars, 'perDay' | 'width' | 'present'>): Uint8Array {
  const rows = new Uint8Array(present.length / perDay)
  for (let cell = 0; cell < present.length; cell++)
    if (present[cell]) rows[Math.floor(cell / (width * perDay)) * width + (cell % width)] = 1
  return rows
}

/** A column of days out of one of bars: open of the first that traded, high, low, close of the last; volume and turnover added, as far as they are known. */
export function dailyColumn(column: Float64Array, name: string, { perDay, width, present, vol }: Bars): Float64Array {
  const step = steps[name] ?? last
  const traded = ofTrade.includes(name) ? vol : undefined
  const days = new Float64Array(column.length / perDay).fill(Number.NaN)
  for (let cell = 0; cell < column.length; cell++) {
    if (!present[cell] || traded?.[cell] === 0) continue
    const day = Math.floor(cell / (width * perDay)) * width + (cell % width)
    days[day] = step(days[day] as number, column[cell] as number)
  }
  return days
}
