import type { Command } from 'commander'
import { QuotebookError } from '../../contract/error.js'
import { fromRows } from '../../frame/table/from-rows.js'
import { type KeyPlan, plans } from '../../server/service/authenticator.js'
import { addKey, type ListedKey, listKeys, revokeKey } from '../../server/service/keys/manage-keys.js'
import { say } from '../chosen-language.js'
import { date, formatWord, wholeAtLeast } from '../command-options.js'
import { declare, type Words } from '../declare-command.js'
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
  log(say('key is added', { name, file, plan: say(`plan ${plan}`), until, pace }))
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
        keys.map((key) => ({
          ...key,
          plan: say(`plan ${key.plan}`),
          expiry: key.expiry ?? say('never'),
          state: say(`key ${key.state}`),
        })),
      ),
    )
  if (keys.length === 0) log(say('no keys', { file }))
}

async function revoke(name: string, options: KeysOptions): Promise<void> {
  const file = fileOf(options)
  await revokeKey(file, name)
  log(say('key is revoked', { name, file }))
}

// biome-ignore format: a table, one word a line
const keyFile: Words = {
  '--keys <file>': ['key file', '密钥文件', { env: 'QUOTEBOOK_KEYS' }],
}

// biome-ignore format: a table, one word a line
const addCommand = (): Command => declare({
  add: ['makes a key: it goes to stdout this once, its hash into the file', '新建密钥：密钥只在此时输出到 stdout，文件中只存其哈希'],
  '<name>': ['whose key it is: names it in lists and logs', '密钥归属：用于列表与日志'],
  ...keyFile,
  '--plan <plan>': ['what file_download gives it', 'file_download 按哪一版本开放', { choices: plans, usual: 'flagship' }],
  '--expiry <YYYYMMDD>': ['last day on which it is good, Beijing; no end by default', '有效期末日（北京日期）；默认长期有效', date],
  '--rate <n>': ['requests a minute, a sixth of them at once; as many as come when absent', '每分钟请求数，其中六分之一可同时到达；默认不限', wholeAtLeast(1)],
}).action(add)

// biome-ignore format: a table, one word a line
const listCommand = (): Command => declare({ list: ['the keys of a file, without the keys', '列出文件中的密钥条目（不含密钥本身）'], ...keyFile, ...formatWord }).action(list)

// biome-ignore format: a table, one word a line
const revokeCommand = (): Command => declare({
  revoke: ['takes a key out of a file; a running service refuses it within a second', '从文件中撤销密钥；运行中的服务一秒内即拒绝它'],
  '<name>': ['name of the key', '密钥名称'],
  ...keyFile,
}).action(revoke)

// biome-ignore format: a table, one word a line
export const keysCommand = (): Command => declare({
  keys: ['who may ask a service: a file of keys for quotebook serve --keys', '管理服务密钥：供 quotebook serve --keys 使用的密钥文件'],
}, addCommand(), listCommand(), revokeCommand())
