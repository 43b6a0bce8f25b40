import type { Command, Option } from 'commander'
import { allNames, findDataset } from '../contract/catalogue.js'
import type { Dataset } from '../contract/dataset.js'
import { allChecks } from '../research/checks/all-checks.js'

/** Where a command line has got to before the word that is being typed. */
interface Place {
  readonly command: Command
  /** Arguments of the command. */
  readonly given: readonly string[]
  /** The option whose value comes next. */
  readonly option: Option | undefined
}

function placeAfter(root: Command, words: readonly string[]): Place {
  let command = root
  let option: Option | undefined
  const given: string[] = []
  for (const word of words) {
    if (option) option = undefined
    else if (word.startsWith('-')) {
      const found = [...command.options, ...root.options].find(({ long, short }) => word === long || word === short)
      option = found?.required || found?.optional ? found : undefined
    } else {
      const below = given.length === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (below) command = below
      else given.push(word)
    }
  }
  return { command, given, option }
}

/** The dataset that a line is about: named by it, or what its check looks at. */
function datasetIn({ command, given }: Place): Dataset | undefined {
  const checked = allChecks().find((one) => one.name.replaceAll(' ', '-') === command.name())?.dataset
  const name = command.parent?.name() === 'check' ? checked : given[0]
  return findDataset(name)
}

/** `symbols=`, then the values that the contract or the example of the dataset has; after a comma the next one. */
function paramWords(dataset: Dataset, given: readonly string[], typed: string): readonly string[] {
  const [, head, name = ''] = /^((\w+)=(?:.*,)?)/.exec(typed) ?? []
  const open = Object.keys(dataset.params).filter((one) => !given.some((word) => word.startsWith(`${one}=`)))
  if (head === undefined) return open.map((one) => `${one}=`)
  const param = Object.hasOwn(dataset.params, name) ? dataset.params[name] : undefined
  const example = (dataset.example as Readonly<Record<string, unknown>>)[name] ?? []
  const there = head.slice(name.length + 1).split(',')
  const values = param ? [param.values ?? example].flat().map(String) : []
  return values.filter((value) => !there.includes(value)).map((value) => `${head}${value}`)
}

/** `--fields a,b`: columns that are not there yet. */
function fieldWords(dataset: Dataset, typed: string): readonly string[] {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1)
  const there = head.split(',')
  return Object.keys(dataset.columns).flatMap((name) => (there.includes(name) ? [] : `${head}${name}`))
}

function candidates(place: Place, typed: string): readonly string[] {
  const { command, given, option } = place
  const dataset = datasetIn(place)
  if (option) return option.long === '--fields' && dataset ? fieldWords(dataset, typed) : (option.argChoices ?? [])
  const help = command.createHelp()
  if (typed.startsWith('-')) return help.visibleOptions(command).flatMap(({ long }) => long ?? [])
  if (command.commands.length > 0) return help.visibleCommands(command).map((one) => one.name())
  const argument = command.registeredArguments[given.length] ?? command.registeredArguments.at(-1)
  if (argument?.name() === 'name' && given.length === 0 && command.parent?.name() === 'quotebook') return allNames()
  if (argument?.name() === 'params' && dataset) return paramWords(dataset, given, typed)
  return argument?.argChoices ?? []
}

/** What the last word of a command line can become; none where a file is meant, or anything. */
export function suggestWords(root: Command, words: readonly string[]): readonly string[] {
  const typed = words.at(-1) ?? ''
  return candidates(placeAfter(root, words.slice(0, -1)), typed).filter((word) => word.startsWith(typed))
}
