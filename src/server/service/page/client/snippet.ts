import { camel } from '../../../../contract/dataset.js'
import { type ApiCall, requestBody } from './api-call.js'

/** What stands where the key belongs; the key itself never gets into a text. */
const placeholder = '<API_KEY>'

/* `anyKey` below: a text to put where a key belongs, of a service that takes any. */

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The call as a command line. @param base address of the service without `/api` */
export function curlText(call: ApiCall, base: string, anyKey?: string): string {
  return [
    `curl -sS ${quoted(`${base}/api`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  --data-raw ${quoted(JSON.stringify(requestBody(call, anyKey ?? placeholder)))}`,
  ].join('\n')
}

/** The body of the request, indented. */
export function bodyText(call: ApiCall, _base?: string, anyKey?: string): string {
  return JSON.stringify(requestBody(call, anyKey ?? placeholder), null, 2)
}

/** The call on one line: the operation, its params, its fields. */
export function callText({ dataset, params, fields }: ApiCall): string {
  return [dataset.name, JSON.stringify(params), ...(fields === undefined ? [] : [fields.join(',')])].join(' ')
}

/** A string literal of TypeScript, in single quotes. */
function literal(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  return typeof value === 'string' ? literal(value) : String(value)
}

function objectText(entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return '{}'
  const parts = entries.map(([name, value]) => `${name}: ${valueText(value)}`)
  const line = `{ ${parts.join(', ')} }`
  return line.length <= 80 ? line : `{\n${parts.map((part) => `  ${part},\n`).join('')}}`
}

function pythonValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** The call in Python, with the client that the service hands out. @param base address of the service without `/api` */
export function pythonText({ dataset, params, fields }: ApiCall, base: string, anyKey?: string): string {
  const words = Object.entries(params).map(([name, value]) => `${name}=${pythonValue(value)}`)
  const all = fields === undefined ? words : [...words, `fields=${pythonValue(fields)}`]
  return [
    `# curl -O ${base}/client/quotebook.py`,
    'import os',
    '',
    `os.environ["QUOTEBOOK_URL"] = ${pythonValue(base)}`,
    ...(anyKey === undefined ? ['# the key is that of the environment: QUOTEBOOK_APIKEY'] : []),
    '',
    'import quotebook as qb',
    '',
    `frame = qb.${dataset.name}(${all.join(', ')})`,
    'print(frame)',
    '',
  ].join('\n')
}

/** The call in Quotebook. @param base address of the service without `/api` */
export function typescriptText(call: ApiCall, base: string, anyKey?: string): string {
  const { dataset, params, fields } = call
  const needed = Object.values(dataset.params).some(({ required }) => required)
  const given = Object.entries(params)
  const first = given.length > 0 || fields !== undefined || needed ? [objectText(given)] : []
  const second = fields === undefined ? [] : [objectText([['fields', fields]])]
  return [
    "import { connect } from 'quotebook'",
    '',
    'const market = await connect({',
    `  nodes: [${literal(base)}],`,
    `  apikey: ${anyKey === undefined ? "process.env.QUOTEBOOK_APIKEY ?? ''" : literal(anyKey)},`,
    '})',
    `const table = await market.table.${camel(dataset.name)}(${[...first, ...second].join(', ')})`,
    'console.log(table.numRows)',
    '',
  ].join('\n')
}
