import { datasets } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import type { Param } from '../../../contract/param.js'
import { version } from '../../../contract/version.js'

/** The line of `clients/python/quotebook.py` below which everything is made from the catalogue. */
export const generatedMark = '# Made from the catalogue of datasets: do not edit below.'

const keywords =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'
/** Built-in names and modules, which a function of the same name would hide. */
const builtins =
  'abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict difflib dir divmod enumerate eval exec exit filter float format frozenset getattr globals gzip hasattr hash help hex http id input int isinstance issubclass iter json len list locals map max memoryview min next np object oct open ord os pd pow print property quit range repr reversed round set setattr slice sorted staticmethod str struct sum super tuple type urllib vars zip zlib'
const notFunctions = new Set(`${keywords} ${builtins}`.split(' '))
const notParams = new Set(`${keywords} fields days partial dates more`.split(' '))

/** A name as Python takes it: with `_` at its end where it has another use for it. */
const spelt = (name: string, taken: ReadonlySet<string>): string => (taken.has(name) ? `${name}_` : name)

/** Text of a docstring: no mark in it ends one. */
const plain = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', "'")

function folded(text: string, indent: string, width = 116): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width - indent.length) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${indent}`)
}

function paramLine(name: string, { meaning, values, required }: Param): string {
  const some = values && values.length <= 6 ? ` One of ${values.join(', ')}.` : ''
  return `    ${spelt(name, notParams)}: ${folded(plain(`${meaning}${some}${required ? ' Required.' : ''}`), '        ')}`
}

function pythonFunction({ name, title, about, params, columns }: Dataset): string {
  const all = Object.entries<Param>(params)
  const words = all.map(([param, { required }]) => `${spelt(param, notParams)}${required ? '' : '=None'}`)
  const required = words.filter((word) => !word.includes('='))
  const optional = words.filter((word) => word.includes('='))
  const own = spelt(name, notFunctions)
  const head = folded(
    ['*,', ...[...required, ...optional].map((word) => `${word},`), '**more'].join(' '),
    ' '.repeat(own.length + 5),
  )
  const given = `{${all.map(([param]) => `"${param}": ${spelt(param, notParams)}`).join(', ')}}`
  return [
    `def ${own}(${head}):`,
    `    """${folded(plain(`${title}. ${about}`), '    ')}`,
    '',
    ...all.map(([param, what]) => paramLine(param, what)),
    `    Columns: ${folded(`${Object.keys(columns).join(', ')}.`, '        ')}`,
    '    """',
    `    return _query("${name}", ${folded(given, ' '.repeat(8))}, **more)`,
  ].join('\n')
}

/** The functions of the Python client, one a dataset with rows, with its params in the docstring. */
export function pythonFunctions(all: readonly Dataset[] = datasets): string {
  const functions = all.filter(({ name }) => name !== 'file_download').map((dataset) => pythonFunction(dataset))
  return [generatedMark, `__version__ = "${version}"`, ...functions.map((text) => `\n\n${text}`)]
    .join('\n')
    .concat('\n')
}

/** The Python client with a function for each of some datasets. */
export function withFunctions(client: Uint8Array, all: readonly Dataset[]): string {
  return `${Buffer.from(client).toString().split(generatedMark)[0]}${pythonFunctions(all)}`
}
