import { Argument, Command, Option } from 'commander'
import { inLanguageOf, type TwoTexts } from './chosen-language.js'
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
 * What may be written, in the order of the help, each with its text in English and Chinese: first the name of the command, then its
 * arguments `<name>` and `[dir]` and its options `--out <file>`.
 */
export type Words = Readonly<Record<string, readonly [...TwoTexts, reading?: Parse | Reading]>>

/** A command as its words say, and those below it. */
export function declare(words: Words, ...below: readonly Command[]): Command {
  const [[name, [en, zh]], ...others] = Object.entries(words) as [[string, TwoTexts], ...[string, Words[string]][]]
  const command = new Command(name).description(inLanguageOf(en, zh))
  for (const [word, [en, zh, given = {}]] of others) {
    const { parse, choices, usual, env, required, means } =
      typeof given === 'function' ? ({ parse: given } as Reading) : given
    if (means) {
      alsoCalled(command, means, word)
      continue
    }
    const text = inLanguageOf(en, zh)
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
export const example = (line: string): string => `\n${inLanguageOf('Example:', '示例：')}\n  ${line}`
