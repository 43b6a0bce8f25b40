import { type CellText, rowChunks } from './row-text.js'
import { columnLetters, escaped } from './spreadsheet.js'
import type { RecordColumns } from './values.js'
import { textOf, withBytes, type ZipEntry, zipEntries, zipOf } from './zip.js'

/** Texts of all sheets, each once. */
class SharedTexts {
  readonly #places = new Map<string, number>()
  readonly #before: number

  /** @param before texts that are there */
  constructor(before: number) {
    this.#before = before
  }

  get size(): number {
    return this.#before + this.#places.size
  }

  placeOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const place = this.size
    this.#places.set(text, place)
    return place
  }

  *chunks(): Generator<Uint8Array> {
    let chunk = ''
    for (const given of this.#places.keys()) {
      const text = escaped(given)
      const space = /^ | $|[\n\t]/.test(text) ? ' xml:space="preserve"' : ''
      chunk += text === '' ? '<si><t/></si>' : `<si><t${space}>${xmlText(text)}</t></si>`
      if (chunk.length < chunkSize) continue
      yield Buffer.from(chunk)
      chunk = ''
    }
    yield Buffer.from(chunk)
  }
}

const chunkSize = 2 ** 16
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '\n', '\t': '\t' }

/** Characters that XML does not hold, and the line's end that it would change, as Excel escapes them. */
function xmlText(text: string): string {
  return text.replace(/[&<>\p{Cc}]/gu, (sign) => {
    const code = sign.charCodeAt(0)
    return marks[sign] ?? (code < 32 ? `_x${code.toString(16).toUpperCase().padStart(4, '0')}_` : sign)
  })
}

const sharedTexts = 'xl/sharedStrings.xml'
/** How a sheet spells the cells of a column. @param style their attribute */
function spellingOf(style: string, texts: SharedTexts, dayOf: (text: string) => number | undefined): CellText {
  const filled = (type: string, value: number): string => `"${type}${style}><v>${value}</v></c>`
  const text = (given: string): string => {
    const day = dayOf(given)
    return day === undefined ? filled(' t="s"', texts.placeOf(given)) : filled('', day)
  }
  return {
    missing: `"${style}/>`,
    number: String,
    afterWhole: '',
    around: [`"${style}><v>`, '</v></c>'],
    flags: [filled(' t="b"', 0), filled(' t="b"', 1)],
    text,
    list: (list) => text(JSON.stringify(list)),
  }
}

function* around(before: string, chunks: Iterable<Uint8Array>, after: string): Generator<Uint8Array> {
  yield Buffer.from(before)
  yield* chunks
  yield Buffer.from(after)
}

/**
 * Puts rows into the first sheet of a file, below its head, in place of one row of empty cells, whose styles they have.
 * @param dayOf the number of a text of a column that stands for a day
 */
export async function fillSheet(
  book: Uint8Array,
  columns: RecordColumns,
  dayOf: (name: string, text: string) => number | undefined,
): Promise<Uint8Array> {
  const entries = [...zipEntries(book)]
  const replace = async (name: string, of: (text: string) => Iterable<Uint8Array>): Promise<void> => {
    const at = entries.findIndex((entry) => entry.name === name)
    const entry = entries[at] as ZipEntry
    entries[at] = await withBytes(entry, of(textOf(entry)))
  }
  const known = textOf(entries.find(({ name }) => name === sharedTexts) as ZipEntry)
  const texts = new SharedTexts(Number(/uniqueCount="(\d+)"/.exec(known)?.[1]))
  await replace('xl/worksheets/sheet1.xml', (xml) => {
    const sheet = xml.replaceAll(/ ref="(A1:[A-Z]+)2"/g, ` ref="$1${columns.length + 1}"`)
    const [row, cells = ''] = /<row r="2">(.*?)<\/row>/.exec(sheet) ?? []
    const styles = new Map([...cells.matchAll(/"([A-Z]+)2"( s="\d+")/g)].map(([, letters, style]) => [letters, style]))
    const names = [...columns.columns.keys()]
    const letters = names.map((_, at) => columnLetters(at + 1))
    const styleOf = new Map(names.map((name, at) => [name, styles.get(letters[at])]))
    const spelling = (name: string): CellText => spellingOf(styleOf.get(name) ?? '', texts, (text) => dayOf(name, text))
    const before = letters.map((own, at) => (at === 0 ? ['<row r="', `"><c r="${own}`, ''] : [`<c r="${own}`, '']))
    const form = { format: 'Excel', before, first: 2, end: '</row>', between: '' }
    const [above, below] = sheet.split(row ?? /(?=<\/sheetData>)/) as [string, string]
    return around(above, rowChunks(columns, spelling, form), below)
  })
  await replace(sharedTexts, (xml) => {
    const counted = xml.replace(/count="\d+" uniqueCount="\d+"/, `count="${texts.size}" uniqueCount="${texts.size}"`)
    return around(counted.replace('</sst>', ''), texts.chunks(), '</sst>')
  })
  return zipOf(entries)
}
