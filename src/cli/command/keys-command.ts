import type { Command } from 'commander'
import { sentence } from '../../contract/sentence.js'
import { fromRows } from '../../frame/table/from-rows.js'
import { plans } from '../../server/service/authenticator.js'
import { addKey, type ListedKey, listKeys, revokeKey } from '../../server/service/keys/manage-keys.js'
import { say } from '../chosen-language.js'
import { date, formatWord, wholeAtLeast } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { emit, type Format, gridOf, out, tell } from '../output.js'
import { wrongUse } from '../wrong-use.js'

interface KeysOptions {
  readonly keys?: string
}

type AddOptions = OptionsOf<typeof addWords>

interface ListOptions extends KeysOptions {
  readonly format?: Format
}

function fileOf({ keys }: KeysOptions): string {
  if (!keys?.trim()) throw wrongUse('which key file? Give --keys FILE, or set QUOTEBOOK_KEYS')
  return keys
}

async function add(name: string, options: AddOptions): Promise<void> {
  const file = fileOf(options)
  const { plan, expiry = null, rate = null } = options
  const key = await addKey(file, name, { plan, expiry, rate })
  out(`${key}\n`)
  const until = expiry === null ? say('good for ever') : say('good until {day}', { day: expiry })
  const pace = rate === null ? say('any number of requests') : say('{rate} requests a minute', { rate })
  tell('added {name} to {file}: {plan}, {until}, {pace}', { name, file, plan: say(planWords[plan]), until, pace })
  tell('this is the only time the key is shown; the file holds its hash')
}

const planWords = { free: sentence`free`, professional: sentence`professional`, flagship: sentence`flagship` }

const stateWords = { good: sentence`good`, expired: sentence`expired` }

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
        keys.map((key) => ({
          ...key,
          plan: say(planWords[key.plan]),
          expiry: key.expiry ?? say('never'),
          state: say(stateWords[key.state]),
        })),
      ),
    )
  if (keys.length === 0) tell('{file} holds no keys', { file })
}

async function revoke(name: string, options: KeysOptions): Promise<void> {
  const file = fileOf(options)
  await revokeKey(file, name)
  tell('revoked {name} in {file}; a service that reads it refuses the key within a second', { name, file })
}

// biome-ignore format: a table, one word a line
const keyFile = {
  '--keys <file>': ['key file', { env: 'QUOTEBOOK_KEYS' }],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
const addWords = {
  add: ['add a key: prints it this once, and stores its hash in the file'],
  '<name>': ['owner of the key, for lists and logs'],
  ...keyFile,
  '--plan <plan>': ['plan of the key, for file_download', { choices: plans, usual: 'flagship' }],
  '--expiry <YYYYMMDD>': ['last valid day, Beijing time (default: none)', date],
  '--rate <n>': ['requests a minute, a sixth of them at once (default: unlimited)', wholeAtLeast(1)],
} as const satisfies CommandWords

const addCommand = (): Command => declare(addWords).action(add)

// biome-ignore format: a table, one word a line
const listCommand = (): Command => declare({ list: ['the keys of a file, without the keys'], ...keyFile, ...formatWord }).action(list)

// biome-ignore format: a table, one word a line
const revokeCommand = (): Command => declare({
  revoke: ['remove a key from a file; a running service rejects it within one second'],
  '<name>': ['name of the key'],
  ...keyFile,
}).action(revoke)

// biome-ignore format: a table, one word a line
export const keysCommand = (): Command => declare({
  keys: ['manage the key file of a service, for quotebook serve --keys'],
}, addCommand(), listCommand(), revokeCommand())
