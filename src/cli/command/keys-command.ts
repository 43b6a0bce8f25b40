import { Command, Option } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { type KeyPlan, plans } from '../../service/authenticator.js'
import { addKey, type ListedKey, listKeys, revokeKey } from '../../service/keys/manage-keys.js'
import { fromRows } from '../../table/from-rows.js'
import { date, formatOption, wholeAtLeast } from '../command-options.js'
import { emit, type Format, log, out, textGrid } from '../output.js'

interface KeysOptions {
  readonly keys?: string
}

interface AddOptions extends KeysOptions {
  readonly plan: KeyPlan
  readonly expiry?: string
  readonly rate?: number
}

interface ListOptions extends KeysOptions {
  readonly format?: Format
}

function fileOf({ keys }: KeysOptions): string {
  if (!keys?.trim()) throw new QuotebookError('USAGE', 'which key file? Give --keys FILE, or set QUOTEBOOK_KEYS')
  return keys
}

async function add(name: string, options: AddOptions): Promise<void> {
  const file = fileOf(options)
  const { plan, expiry = null, rate = null } = options
  const key = await addKey(file, name, { plan, expiry, rate })
  out(`${key}\n`)
  const until = expiry === null ? 'good for ever' : `good until ${expiry}`
  const pace = rate === null ? 'any number of requests' : `${rate} requests a minute`
  log(`added ${name} to ${file}: ${plan}, ${until}, ${pace}`)
  log('this is the only time the key is shown; the file holds its hash')
}

const kinds = { name: 'text', plan: 'label', expiry: 'date', rate: 'long', added: 'date', state: 'label' } as const
const head = Object.keys(kinds) as readonly (keyof ListedKey)[]

function listed(keys: readonly ListedKey[]): string {
  const rows = keys.map((key) => head.map((name) => key[name] ?? (name === 'expiry' ? 'never' : null)))
  return `${textGrid(head, rows)}\n`
}

async function list(options: ListOptions): Promise<void> {
  const file = fileOf(options)
  const keys = listKeys(file)
  if ((options.format ?? 'table') !== 'table')
    await emit(fromRows(keys, { columns: head, kinds }), options.format, undefined)
  else if (keys.length > 0) out(listed(keys))
  if (keys.length === 0) log(`${file} holds no keys`)
}

async function revoke(name: string, options: KeysOptions): Promise<void> {
  const file = fileOf(options)
  await revokeKey(file, name)
  log(`revoked ${name} in ${file}; a service that reads it refuses the key within a second`)
}

function withKeys(command: Command): Command {
  return command.addOption(new Option('--keys <file>', 'key file').env('QUOTEBOOK_KEYS'))
}

export function keysCommand(): Command {
  const adding = withKeys(new Command('add'))
    .description('makes a key: it goes to stdout this once, its hash into the file')
    .argument('<name>', 'whose key it is: names it in lists and logs')
    .addOption(new Option('--plan <plan>', 'what file_download gives it').choices(plans).default('flagship'))
    .option('--expiry <YYYYMMDD>', 'last day on which it is good, Beijing; no end by default', date)
    .option('--rate <n>', 'requests a minute, a sixth of them at once; as many as come when absent', wholeAtLeast(1))
    .action(add)
  const listing = withKeys(new Command('list'))
    .description('the keys of a file, without the keys')
    .addOption(formatOption())
    .action(list)
  const revoking = withKeys(new Command('revoke'))
    .description('takes a key out of a file; a running service refuses it within a second')
    .argument('<name>', 'name of the key')
    .action(revoke)
  return new Command('keys')
    .description('who may ask a service: a file of keys for quotebook serve --keys')
    .addCommand(adding)
    .addCommand(listing)
    .addCommand(revoking)
}
