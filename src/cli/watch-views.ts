import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { suspectLines } from '../contract/row-laws.js'
import type { Change } from '../data/watch/change.js'
import { RowAlerts } from '../data/watch/row-alerts.js'
import { toObjects } from '../frame/read-columns.js'
import { cellText, printable } from '../frame/show/cell-text.js'
import { fieldInfo } from '../frame/show/describe-data.js'
import { displayOf } from '../frame/show/show-data.js'
import { provenance } from '../frame/table/provenance.js'
import type { RowCondition } from '../frame/verb/parse-condition.js'
import { language, say } from './chosen-language.js'
import { type LiveScreen, liveScreen } from './live-screen.js'
import { log, out, tableText } from './output.js'
import { terminalNumbers, terminalReading } from './terminal-numbers.js'

/** What a watch shows of its changes. */
export interface WatchView {
  /** Whether there was something to show: not of the first state, unless it matches a condition. */
  change(change: Change): boolean
  /** An answer came at this moment; nothing has to have changed. */
  answer?(at: string): void
  /** What the reader should know meanwhile. */
  note(text: string): void
  end(): void
}

type Row = Readonly<Record<string, unknown>>

function moment(at: string): string {
  return at.slice(11, 19)
}

function headOf(dataset: Dataset, { rows, newest }: Change, at: string): string {
  const head = say('{name}: {rows} rows, seen {at}', { name: dataset.name, rows: rows.numRows, at: moment(at) })
  return newest === undefined ? head : `${head}${say(', data of {newest}', { newest })}`
}

/** A JSON object a line for each row, from which the state can be put together. */
function* jsonLines({ at, newest, state, added, changed, before, columns, gone }: Change): Generator<object> {
  const about = { at, newest, state }
  for (const row of toObjects(added)) yield { change: 'new', ...about, row }
  const was = toObjects(before)
  for (const [i, row] of toObjects(changed).entries()) {
    const names = columns[i] ?? []
    yield { change: 'changed', ...about, before: Object.fromEntries(names.map((name) => [name, was[i]?.[name]])), row }
  }
  for (const row of toObjects(gone)) yield { change: 'gone', ...about, row }
}

function write(lines: Iterable<object>): void {
  for (const line of lines) out(`${JSON.stringify(line)}\n`)
}

/** Says once which laws rows of the states break. */
function suspectNotes(): (rows: Table) => void {
  let said = ''
  return (rows) => {
    const lines = suspectLines(provenance(rows)?.suspect, language).map(printable).join('\n')
    if (lines !== '' && lines !== said) log(lines)
    said = lines
  }
}

/** JSON lines, for a program. */
export function lineView(): WatchView {
  const note = suspectNotes()
  return {
    change(change) {
      note(change.rows)
      write(jsonLines(change))
      return !change.isFirst
    },
    note: log,
    end: () => undefined,
  }
}

/** The rows that begin to match a condition: a table in a terminal, JSON lines in a pipe. */
export function alertView(dataset: Dataset, condition: RowCondition, when: string, isTerminal: boolean): WatchView {
  const alerts = new RowAlerts(dataset, condition)
  const note = suspectNotes()
  return {
    change({ rows, at, newest, state }) {
      note(rows)
      const found: Table = alerts.next(rows)
      if (found.numRows === 0) return false
      if (isTerminal) {
        out(
          `${say('{at}: {rows} rows begin to match {when}', { at: moment(at), rows: found.numRows, when })}\n${tableText(found)}`,
        )
      } else write(toObjects(found).map((row) => ({ change: 'alert', at, newest, state, row })))
      return true
    },
    note: log,
    end: () => undefined,
  }
}

/** Changes in words, one a row, by the key of the dataset. */
function changeLines(dataset: Dataset, { at, added, changed, before, columns, gone }: Change): string[] {
  const keyOf = (row: Row): string => dataset.key.flatMap((name) => (name in row ? cellText(row[name]) : [])).join(' ')
  const was = toObjects(before)
  const time = moment(at)
  const written = (name: string, cell: unknown): string => {
    const field = changed.schema.fields.find((one) => one.name === name)
    return field && typeof cell === 'number'
      ? terminalNumbers(fieldInfo(field, dataset.name), [cell])(cell)
      : cellText(cell)
  }
  return [
    ...toObjects(gone).map((row) => say('{at} gone: {key}', { at: time, key: keyOf(row) })),
    ...toObjects(added).map((row) => say('{at} new: {key}', { at: time, key: keyOf(row) })),
    ...toObjects(changed).map((row, i) => {
      const names = columns[i] ?? []
      const what = names
        .map((name) => `${name} ${written(name, was[i]?.[name])} → ${written(name, row[name])}`)
        .join(', ')
      return say('{at} {key}: {what}', { at: time, key: keyOf(row), what })
    }),
  ]
}

/** Changes that stay on the screen below the table. */
const shownChanges = 5
/** Lines around the rows: that above the table, its head, the one where rows are left out, and two below it. */
const around = 5

/** The rows as a table that is drawn over, with the last changes below it. */
export function screenView(dataset: Dataset): WatchView {
  let screen: LiveScreen | undefined
  let last: Change | undefined
  let recent: readonly string[] = []
  let note: string | undefined
  let seen = ''
  const draw = (): void => {
    if (!last) return
    const { rows } = last
    const head = headOf(dataset, last, seen)
    const [said, lines] = [note === undefined ? [] : [note], recent]
    screen ??= liveScreen(process.stdout)
    screen.draw((width, height) => {
      const shown = Math.min(lines.length, Math.max(0, height - around - 3))
      const below = shown === 0 ? [] : ['', ...lines.slice(-shown)]
      const suspect = provenance(rows)?.suspect ?? []
      const most = Math.max(1, height - around - below.length - said.length - suspect.length)
      const table = displayOf(rows, { rows: most, width }, terminalReading()).text().split('\n')
      return [head, ...said, ...table, ...below]
    })
  }
  return {
    change(change) {
      seen = change.at
      last = change
      if (!change.isFirst) recent = [...recent, ...changeLines(dataset, change)].slice(-shownChanges)
      draw()
      return !change.isFirst
    },
    answer(at) {
      seen = at
      note = undefined
      draw()
    },
    note(text) {
      note = text
      draw()
    },
    end: () => screen?.end(),
  }
}

/** The rows as a table after each change, for a terminal that can't be drawn over. */
export function blockView(dataset: Dataset): WatchView {
  return {
    change(change) {
      const lines = change.isFirst ? [] : changeLines(dataset, change).slice(-shownChanges)
      out(`${[headOf(dataset, change, change.at), ...lines].join('\n')}\n${tableText(change.rows)}`)
      return !change.isFirst
    },
    note: log,
    end: () => undefined,
  }
}
