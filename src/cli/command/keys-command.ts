import { Command, Option } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { fromRows } from '../../frame/table/from-rows.js'
import { type KeyPlan, plans } from '../../server/service/authenticator.js'
import { addKey, type ListedKey, listKeys, revokeKey } from '../../server/service/keys/manage-keys.js'
import { help, say } from '../chosen-language.js'
import { date, formatOption, wholeAtLeast } from '../command-options.js'
import { emit, type Format, gridOf, log, out } from '../output.js'

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
  if (!keys?.trim()) throw new QuotebookError('USAGE', say('which keys'))
  return keys
}

async function add(name: string, options: AddOptions): Promise<void> {
  const file = fileOf(options)
  const { plan, expiry = null, rate = null } = options
  const key = await addKey(file, name, { plan, expiry, rate })
  out(`${key}\n`)
  const until = expiry === null ? say('good for ever') : say('good until', { day: expiry })
  const pace = rate === null ? say('any rate') : say('a rate', { rate })
  log(say('key is added', { name, file, plan, until, pace }))
  log(say('key is shown once'))
}

const kinds = { name: 'text', plan: 'label', expiry: 'date', rate: 'long', added: 'date', state: 'label' } as const
const head = Object.keys(kinds) as readonly (keyof ListedKey)[]

async function list(options: ListOptions): Promise<void> {
  const file = fileOf(options)
  const keys = listKeys(file)
  if ((options.format ?? 'table') !== 'table')
    await emit(fromRows(keys, { columns: head, kinds }), { format: options.format })
  else if (keys.length > 0)
    out(
      gridOf(
        head,
        keys.map((key) => ({ ...key, expiry: key.expiry ?? say('never') })),
      ),
    )
  if (keys.length === 0) log(say('no keys', { file }))
}

async function revoke(name: string, options: KeysOptions): Promise<void> {
  const file = fileOf(options)
  await revokeKey(file, name)
  log(say('key is revoked', { name, file }))
}

function withKeys(command: Command): Command {
  return command.addOption(new Option('--keys <file>', help('keys --keys')).env('QUOTEBOOK_KEYS'))
}

export function keysCommand(): Command {
  const adding = withKeys(new Command('add'))
    .description(help('keys add'))
    .argument('<name>', help('keys add name'))
    .addOption(new Option('--plan <plan>', help('keys add --plan')).choices(plans).default('flagship'))
    .option('--expiry <YYYYMMDD>', help('keys add --expiry'), date)
    .option('--rate <n>', help('keys add --rate'), wholeAtLeast(1))
    .action(add)
  const listing = withKeys(new Command('list')).description(help('keys list')).addOption(formatOption()).action(list)
  const revoking = withKeys(new Command('revoke'))
    .description(help('keys revoke'))
    .argument('<name>', help('keys revoke name'))
    .action(revoke)
  return new Command('keys').description(help('keys')).addCommand(adding).addCommand(listing).addCommand(revoking)
}
