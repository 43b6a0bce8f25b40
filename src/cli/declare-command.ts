import { Argument, Command, Option } from 'commander'
import { say } from './chosen-language.js'
import { alsoCalled } from './other-words.js'

/** How the text of an argument or of an option is read, and what stands where there is none. */
interface Reading {
  readonly parse?: Parse
  readonly choices?: readonly string[]
  readonly usual?: unknown
  readonly env?: string
  readonly required?: true
  /** The option that it is another word for; help does not show it. */
  readonly means?: 'source' | 'archive'
}

// biome-ignore lint/suspicious/noExplicitAny: commander gives the value before as any
type Parse = (text: string, before: any) => unknown

/**
 * What may be written, in the order of the help, each with its text: first the name of the command, then its
 * arguments `<name>` and `[dir]` and its options `--out <file>`.
 */
export type CommandWords = Readonly<Record<string, readonly [text: string, reading?: Parse | Reading]>>

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type Named<W> = W extends `${infer Name} ${string}` ? Name : W
type NameOf<W> =
  Named<W> extends `--no-${infer Name}` ? Camel<Name> : Named<W> extends `--${infer Name}` ? Camel<Name> : never
type ReadingOf<Row> = Row extends readonly [string, infer R] ? R : undefined

/** What an option is read as. */
type ValueOf<W, R> = R extends ((...given: never) => infer V) | { readonly parse: (...given: never) => infer V }
  ? V
  : R extends { readonly choices: readonly (infer C)[] }
    ? C
    : W extends `--no-${string}`
      ? boolean
      : W extends `${string}<${string}`
        ? string
        : W extends `${string}[${string}`
          ? string | true
          : true

/** The options that are always there: they have a value of their own, or must be given. */
type Sure<Words> = {
  [W in keyof Words]: W extends `--no-${string}`
    ? W
    : ReadingOf<Words[W]> extends { readonly usual: unknown } | { readonly required: true }
      ? W
      : never
}[keyof Words]

/** The options of a command, as its action is given them. */
export type OptionsOf<Words> = {
  readonly [W in keyof Words as W extends Sure<Words> ? NameOf<W> : never]: ValueOf<W, ReadingOf<Words[W]>>
} & {
  readonly [W in keyof Words as W extends Sure<Words> ? never : NameOf<W>]?: ValueOf<W, ReadingOf<Words[W]>>
}

/** What each command does, in English: a list in another language than the help's says it anew. */
const abouts = new Map<Command, string>()

/** Commands that the help leaves out. */
export const hiddenCommands = ['complete', 'repair']

/** Every command of the help, as it is typed after `quotebook`, and what it does, in English. */
export function declaredCommands(): readonly { readonly name: string; readonly about: string }[] {
  const wordsTo = (command: Command): string[] => (command.parent ? [...wordsTo(command.parent), command.name()] : [])
  const all = [...abouts].map(([command, about]) => ({ name: wordsTo(command).join(' '), about }))
  return all.filter(({ name }) => name !== '' && !hiddenCommands.includes(name))
}

/** A command as its words say, and those below it. */
export function declare(words: CommandWords, ...below: readonly Command[]): Command {
  const [[name, [about]], ...others] = Object.entries(words) as [
    [string, CommandWords[string]],
    ...[string, CommandWords[string]][],
  ]
  const command = new Command(name).description(say(about))
  abouts.set(command, about)
  for (const [word, [about, given = {}]] of others) {
    const { parse, choices, usual, env, required, means } =
      typeof given === 'function' ? ({ parse: given } as Reading) : given
    if (means) {
      alsoCalled(command, means, word)
      continue
    }
    const text = say(about)
    const one = word.startsWith('-') ? new Option(word, text) : new Argument(word, text)
    if (parse) one.argParser(parse)
    if (choices) one.choices(choices)
    if (usual !== undefined) one.default(usual)
    if (one instanceof Argument) {
      command.addArgument(one)
      continue
    }
    if (env !== undefined) one.env(env)
    command.addOption(one.makeOptionMandatory(required === true))
  }
  for (const one of below) command.addCommand(one)
  return command
}

/** A line below the help of a command that shows how it is used. */
export const example = (line: string): string => `\n${say('Example:')}\n  ${line}`
