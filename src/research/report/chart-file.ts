import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

/** What is needed of `@resvg/resvg-js`: the package is optional, so no declaration of ours may import its types. */
interface Painter {
  readonly Resvg: new (svg: string, options: object) => { render(): { asPng(): Uint8Array } }
}

const painterVersion = '2.6.2'

async function painter(): Promise<Painter> {
  try {
    return (await import('@resvg/resvg-js')) as unknown as Painter
  } catch (cause) {
    const why = /Cannot find (module|package) '@resvg\/resvg-js'/.test(String(messageOf(cause)))
      ? sentence`it is not installed`
      : sentence`it does not load here: ${messageOf(cause).split('\n')[0]}`
    const how = sentence`Run: npm install @resvg/resvg-js@${painterVersion}, or save it as .svg`
    throw new QuotebookError('PACKAGE', sentence`a PNG needs the package @resvg/resvg-js, and ${why}. ${how}`, {
      cause,
    })
  }
}

/** Fonts that have Chinese characters, where the machine has one of them. */
const chineseFont = 'Noto Sans CJK SC'

/** A drawing as PNG, of twice its size. @throws QuotebookError PACKAGE without @resvg/resvg-js */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await painter()
  const font = { loadSystemFonts: true, defaultFontFamily: chineseFont, sansSerifFamily: chineseFont }
  return new Resvg(svg, { fitTo: { mode: 'zoom', value: 2 }, font }).render().asPng()
}

/** Writes a drawing under a name that ends in `.svg` or `.png`; the file appears only when it is whole. */
export async function saveChart(svg: string, path: string): Promise<void> {
  const ending = extname(path).toLowerCase()
  if (ending !== '.svg' && ending !== '.png') {
    throw new QuotebookError('USAGE', sentence`a chart is saved as .svg or .png, not as '${path}'`)
  }
  const bytes = ending === '.png' ? await pngOf(svg) : svg
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(beside, bytes, { flag: 'wx' })
    await rename(beside, path)
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw new QuotebookError('FILE', sentence`${path}: cannot be written: ${messageOf(cause)}`, { cause })
  }
}
