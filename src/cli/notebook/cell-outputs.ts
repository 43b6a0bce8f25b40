import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { received, sent } from '../../contract/sentence.js'
import type { CellFailure, DisplayData, KernelEvent } from './kernel-event.js'

/** What a cell put out. */
export type CellOutput =
  | { readonly type: 'stream'; readonly name: string; text: string }
  | { readonly type: 'display'; data: DisplayData; readonly display?: string | undefined }
  | { readonly type: 'failure'; failure: CellFailure }

/** Outputs by cell, in the order they came, and the failures that nobody asked for. */
export interface CellOutputs {
  readonly outputs: ReadonlyMap<number, readonly CellOutput[]>
  readonly failures: readonly CellFailure[]
}

/** A text without control sequences, and without the place of the notebook. */
function withoutPlace(folder: string): (text: string) => string {
  const above = dirname(folder)
  const places: [place: string, sign: string][] = [
    [`${folder}/`, ''],
    [folder, '.'],
  ]
  if (above !== dirname(above)) places.push([`${above}/`, '../../'])
  return (text) => places.reduce((said, [place, sign]) => said.replaceAll(place, sign), stripVTControlCharacters(text))
}

/** Gathers what a kernel tells of a notebook in a folder. */
export class OutputCollector implements CellOutputs {
  readonly outputs: Map<number, CellOutput[]> = new Map()
  readonly failures: CellFailure[] = []
  readonly #plain: (text: string) => string

  constructor(folder: string) {
    this.#plain = withoutPlace(folder)
  }

  take(event: KernelEvent): void {
    if (event.type === 'stream') this.#stream(event.cell, event.name, this.#plain(event.text))
    else if (event.type === 'display') this.#display(event.cell, event.data, event.display, event.update)
    else if (event.type === 'failure') this.fail(event)
    else if (event.type === 'more') this.#more(event.cell, this.#plain(event.message))
  }

  fail({ cell, kind, name, message, at, expected }: CellFailure): void {
    const failure = { cell, kind, name, message: sent(received(message, this.#plain)), at, expected }
    this.#of(cell).push({ type: 'failure', failure })
    if (!expected) this.failures.push(failure)
  }

  #of(cell: number): CellOutput[] {
    const known = this.outputs.get(cell)
    if (known) return known
    const made: CellOutput[] = []
    this.outputs.set(cell, made)
    return made
  }

  #stream(cell: number, name: string, text: string): void {
    const last = this.#of(cell).at(-1)
    if (last?.type === 'stream' && last.name === name) last.text += text
    else this.#of(cell).push({ type: 'stream', name, text })
  }

  #display(cell: number, data: DisplayData, display: string | undefined, update: boolean): void {
    const all = [...this.outputs.values()].flat()
    const earlier = update ? all.find((output) => output.type === 'display' && output.display === display) : undefined
    if (earlier?.type === 'display') earlier.data = data
    else this.#of(cell).push({ type: 'display', data, display })
  }

  #more(cell: number, message: string): void {
    const told = this.#of(cell).findLast((output) => output.type === 'failure')
    if (told?.type !== 'failure') return
    const before = told.failure
    told.failure = { ...before, more: [...(before.more ?? []), message] }
    const at = this.failures.indexOf(before)
    if (at >= 0) this.failures[at] = told.failure
  }
}
