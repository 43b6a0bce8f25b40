import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'

/** A place of a hot list. */
interface Place {
  readonly code: string
  readonly rank: number
}

/** A hot list of the day against that of the trading day before. */
export interface ListChange {
  readonly list: string
  readonly places: number
  /** Undefined where the day before is not there. */
  readonly fresh: readonly Place[] | undefined
  readonly gone: readonly Place[] | undefined
  /** Places won, the most first. */
  readonly risen: readonly (Place & { readonly won: number })[] | undefined
}

/** A stock on several lists. */
export interface OnLists {
  readonly code: string
  readonly best: number
  readonly lists: readonly string[]
}

type Lists = ReadonlyMap<string, readonly Place[]>

/** The lists of a day by name, by rank. */
function listsOn(table: Table, date: string): Lists {
  const [code, day, list] = [strings(table, 's'), strings(table, 'tradedate'), strings(table, 'type')]
  const rank = numbers(table, 'rank')
  const rows = day.flatMap((own, row) => (own === date ? [row] : []))
  const byList = groupItems(rows, (row) => list[row] ?? '')
  return new Map(
    Array.from(byList, ([name, own]) => [
      name,
      own.map((row) => ({ code: code[row] ?? '', rank: rank[row] as number })).sort((a, b) => a.rank - b.rank),
    ]),
  )
}

function changeOf(list: string, now: readonly Place[], before: readonly Place[] | undefined): ListChange {
  if (!before) return { list, places: now.length, fresh: undefined, gone: undefined, risen: undefined }
  const was = new Map(before.map(({ code, rank }) => [code, rank]))
  const there = new Set(now.map(({ code }) => code))
  const risen = now.flatMap((one) => {
    const won = (was.get(one.code) ?? Number.NaN) - one.rank
    return won > 0 ? [{ ...one, won }] : []
  })
  return {
    list,
    places: now.length,
    fresh: now.filter(({ code }) => !was.has(code)),
    gone: before.filter(({ code }) => !there.has(code)),
    risen: risen.sort((a, b) => b.won - a.won || a.rank - b.rank),
  }
}

/** What changed on each list, in the order of their names as given. */
export function listChanges(
  table: Table,
  date: string,
  before: string | undefined,
  names: readonly string[],
): ListChange[] {
  const [now, then] = [listsOn(table, date), before === undefined ? new Map() : listsOn(table, before)]
  return names.flatMap((name) => {
    const own = now.get(name)
    return own ? [changeOf(name, own, then.get(name))] : []
  })
}

/** Stocks on two lists and more: the most lists first, then the best place, then the code. */
export function onSeveralLists(table: Table, date: string, names: readonly string[]): OnLists[] {
  const places = Array.from(listsOn(table, date)).flatMap(([list, own]) => own.map((one) => ({ ...one, list })))
  return Array.from(
    groupItems(places, ({ code }) => code),
    ([code, own]): OnLists => {
      const lists = new Set(own.map(({ list }) => list))
      return { code, best: Math.min(...own.map(({ rank }) => rank)), lists: names.filter((name) => lists.has(name)) }
    },
  )
    .filter(({ lists }) => lists.length > 1)
    .sort((a, b) => b.lists.length - a.lists.length || a.best - b.best || (a.code < b.code ? -1 : 1))
}
