import { type Command, Option } from 'commander'
import { tell } from './output.js'
import { wrongUse } from './wrong-use.js'

/*
 * Data is read from `--source` and an archive is written at `--archive`, in every command; `--out` is for files that are made.
 * What else stood for them goes on working, and is told.
 */

/** Says what to write in the place of a word that goes on working. */
export function tellWord(given: string, word: string): void {
  // The workers of a service run the command of the process that started them again, which has said it.
  if (process.env.NODE_UNIQUE_ID === undefined)
    tell('write {word} in the place of {given}, as in every command; what you wrote goes on working', { given, word })
}

/**
 * Lets an option go by another word too, which help does not show.
 * @param word `archive`, of an option that the command has
 * @param flags `--out <dir>`
 */
export function alsoCalled(command: Command, word: 'source' | 'archive', flags: string): void {
  const option = new Option(flags).hideHelp()
  let [times, isOther] = [0, false]
  command.on(`option:${word}`, () => {
    times++
    if (isOther && times > 1)
      throw wrongUse('{one} and {other} are two words for one place; give {other} alone', {
        one: String(option.long),
        other: `--${word}`,
      })
  })
  command.addOption(option)
  command.on(`option:${option.name()}`, (given: string) => {
    isOther = true
    tellWord(String(option.long), `--${word}`)
    // As if it had been typed: commander reads, checks and keeps it.
    const typed = command as unknown as { emit(event: string, text: string): boolean }
    typed.emit(`option:${word}`, given)
  })
}

/** Where a directory by its place in the line stands for an option: its own value, or that of the option. */
export function byPlace<Place>(
  given: string | undefined,
  option: Place | undefined,
  word: 'source' | 'archive',
  read: (text: string) => Place,
): Place | undefined {
  if (given === undefined) return option
  if (option !== undefined)
    throw wrongUse('{one} and {other} are two words for one place; give {other} alone', {
      one: 'DIR',
      other: `--${word}`,
    })
  // Not as it was typed: an address may hold a password.
  tellWord('DIR', `--${word} DIR`)
  return read(given)
}
