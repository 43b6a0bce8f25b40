import type { AverageLaw, Dataset } from '../../../contract/dataset.js'
import { ImportError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { averageLawOf, averageLies } from '../../../contract/turnover-law.js'
import { floatsIn, type RecordColumns, textIn } from '../../../frame/table/values.js'
import { type FileColumns, lineOf } from './file-columns.js'

/** The four numbers of a row, in yuan and in single shares. */
type Averages = (row: number) => readonly [amount: number, vol: number, low: number, high: number]

/** Without a range of prices, half and twice the close: enough to tell a unit from another. */
function averagesOf({ columns }: RecordColumns, law: AverageLaw): Averages | undefined {
  const [amount, vol, low, high, close] = [law.amount, law.vol, law.low, law.high, 'close'].map((name) => {
    const values = columns.get(name)
    return values && floatsIn(values)
  })
  const [least, most] = low && high ? [low, high] : [close, close]
  const [down, up] = low && high ? [1, 1] : [0.5, 2]
  if (!amount || !vol || !least || !most) return undefined
  return (row) => [
    (amount[row] as number) * law.money,
    vol[row] as number,
    (least[row] as number) * down,
    (most[row] as number) * up,
  ]
}

const powers = [-8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8]

/** Rows of a code, or of a file, that tell a unit: how many there are, and how far all of them are off. */
class Unit {
  rows = 0
  first = -1
  /** Powers of ten by which the turnover of every row would have to be another. */
  left: readonly number[] = powers

  add(row: number, averages: Averages, unit: number): void {
    const [amount, vol, low, high] = averages(row)
    if (!(amount > 0 && vol > 0 && low > 0 && high > 0)) return
    this.rows++
    if (this.first < 0) this.first = row
    if (averageLies(amount, vol, unit, low, high)) this.left = []
    else if (this.left.length > 0)
      this.left = this.left.filter((power) => averageLies(amount * 10 ** power, vol, unit, low, high))
  }
}

/** Codes of the rows, by what tells one from another. */
function codesIn({ columns, key }: Dataset, given: RecordColumns): { words: readonly string[]; data: Int32Array } {
  const name = key.find((one) => columns[one]?.kind === 'code')
  const values = given.columns.get(name ?? '')
  const text = values && textIn(values)
  return { words: text?.dictionary ?? [], data: text?.data ?? new Int32Array(given.length) }
}

/**
 * Refuses turnover and volume in other units than those of the dataset: turnover / volume lies beyond the prices by one power of ten in
 * all rows of the file, or in all of an instrument that has several. Single rows that are off are kept, and suspect.
 * @throws ImportError saying by how much, and where
 */
export function checkAverages(dataset: Dataset, file: FileColumns): void {
  const law = averageLawOf(dataset)
  const averages = law && averagesOf(file.columns, law)
  if (!law || !averages) return
  const { words, data } = codesIn(dataset, file.columns)
  const [whole, byCode] = [new Unit(), new Map<number, Unit>()]
  for (let row = 0; row < file.columns.length; row++) {
    const code = data[row] as number
    const own = byCode.get(code) ?? new Unit()
    byCode.set(code, own)
    for (const unit of [whole, own]) unit.add(row, averages, law.unit)
  }
  const isOff = ({ rows, left }: Unit, least: number): boolean => rows >= least && left.length > 0
  const [code, off] = isOff(whole, 1) ? [-1, whole] : ([...byCode].find(([, own]) => isOff(own, 2)) ?? [])
  if (code === undefined || !off) return
  const [amount, vol, low, high] = averages(off.first)
  const ratio = (amount / (vol * law.unit * ((low + high) / 2))).toPrecision(3)
  const preset = file.remarks.find(({ about }) => about === 'preset')
  const said = sentence`its turnover is ${ratio} times volume x price`
  const how = preset && 'name' in preset ? sentence`read as ${preset.name}, ${said}` : said
  const where = code < 0 ? sentence`${how} in every row` : sentence`${how} in every row of ${words[code] ?? ''}`
  const [of, money] = [law.vol, law.amount].map((name) => dataset.columns[name]?.unit ?? '')
  throw new ImportError(
    file.file,
    sentence`${where}: its units are not ${of ?? ''} and ${money ?? ''}; convert it, and say with --rename what its columns are`,
    { ...lineOf(file, off.first), field: law.amount },
  )
}
