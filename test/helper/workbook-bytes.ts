import { crc32, deflateRawSync } from 'node:zlib'

/* Excel files written by hand, so that they can unpack to more than they look. */

export interface HandEntry {
  readonly name: string
  readonly bytes: Uint8Array
  /** Bytes that it says to have when it is unpacked; those that it has when absent. */
  readonly says?: number
}

export function handZip(entries: readonly HandEntry[]): Buffer {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, bytes, says = bytes.length } of entries) {
    const packed = deflateRawSync(bytes, { level: 1 })
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(bytes), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(says, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 4)
    head.copy(entry, 6, 4, 28)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const office = 'http://schemas.openxmlformats.org'
const relations = `${office}/package/2006/relationships`
const kind = `${office}/officeDocument/2006/relationships`
const main = `${office}/spreadsheetml/2006/main`
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function relation(of: string, target: string): string {
  return `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${kind}/${of}" Target="${target}"/></Relationships>`
}

/** A workbook of one sheet, of the rows that are given as XML. */
export function handWorkbook(rows: Uint8Array, says?: number): Buffer {
  const sheet = Buffer.concat([
    Buffer.from(`<worksheet xmlns="${main}"><sheetData>`),
    rows,
    Buffer.from('</sheetData></worksheet>'),
  ])
  const types = `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/></Types>`
  const book = `<workbook xmlns="${main}" xmlns:r="${kind}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`
  const texts: readonly (readonly [string, string])[] = [
    ['[Content_Types].xml', types],
    ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
    ['xl/workbook.xml', book],
    ['xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')],
  ]
  return handZip([
    ...texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { name: 'xl/worksheets/sheet1.xml', bytes: sheet, ...(says === undefined ? {} : { says }) },
  ])
}

/** A row of numbers and texts. */
export function handRow(cells: readonly (number | string)[], at: number): string {
  const made = cells.map((cell, i) => {
    const place = `${String.fromCharCode(65 + i)}${at}`
    return typeof cell === 'number'
      ? `<c r="${place}"><v>${cell}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`
  })
  return `<row r="${at}">${made.join('')}</row>`
}
