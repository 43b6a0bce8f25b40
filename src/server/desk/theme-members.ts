import type { Table } from 'apache-arrow'
import { datasetOf } from '../../contract/catalogue.js'
import { wholeCode } from '../../contract/fitting-names.js'
import { parseCode } from '../../contract/symbol.js'
import { themeIds } from '../../data/archive/theme-ids.js'
import { lists, strings, toObjects } from '../../frame/read-columns.js'
import type { Market } from '../../market.js'
import { type DeskRows, deskNumbers, deskTexts } from './desk-rows.js'
import { type DeskVisit, deskHref } from './desk-visit.js'
import { knownStockNames, latestList } from './known-stocks.js'

const levels = ['parent', 'child'] as const

/** What a theme is called, if anything, and its stocks. */
interface Theme {
  readonly name?: string | undefined
  readonly stocks: readonly string[]
}

/** The details of all themes of the library by their ids: a service is asked for one at a time, and has no list of them. */
export async function themeDetails(market: Market): Promise<readonly (readonly [id: string, detail: Table])[]> {
  const ids = (await market.archive?.read(themeIds)) ?? []
  return Promise.all(
    ids.map(async (theme_id) => [theme_id, await market.query('theme_lib_detail_kp', { theme_id })] as const),
  )
}

/** Every theme of the archive by its code: the curated pools, which have no names, and the themes of the library. */
function themesOf({ market, once }: DeskVisit): Promise<ReadonlyMap<string, Theme>> {
  return once('themes', async () => {
    const all = new Map<string, Theme>()
    for (const level of levels) {
      const table = await market.query('thememembers_jx', { level })
      const members = lists(table, 'symbols')
      for (const [row, code] of strings(table, 'theme_symbol').entries())
        if (code) all.set(code, { stocks: members[row] ?? [] })
    }
    for (const [id, table] of await themeDetails(market)) {
      const [detail] = toObjects(table)
      const stocks: unknown = detail?.stock_list
      if (!Array.isArray(stocks)) continue
      all.set(id, {
        name: detail?.name ? String(detail.name) : undefined,
        stocks: stocks.flatMap((one) => String(one?.symbol ?? '') || []),
      })
    }
    return all
  })
}

/** The address of a theme's members; undefined of a code that is none of the archive's themes. */
export async function themeHref(visit: DeskVisit, code: string): Promise<string | undefined> {
  return (await themesOf(visit)).has(code) ? deskHref(visit, ['table', 'themes', code]) : undefined
}

/** The stocks of a theme, with their names and the last change that the archive has of them. */
export async function readMembers(visit: DeskVisit, theme: string): Promise<DeskRows> {
  const { say, once } = visit
  const { name, stocks: members = [] } = (await themesOf(visit)).get(theme) ?? {}
  const types = datasetOf('hotstock').params.type?.values ?? []
  const latest = await once('latest lists', () => Promise.all(types.map((type) => latestList(visit, type))))
  const changes = new Map(latest.flatMap((list) => [...list.changes]))
  const names = await knownStockNames(visit)
  const bare = members.map((code) => parseCode(code).bare)
  const columns = [
    deskTexts('symbol', members, say),
    deskTexts(
      'name',
      bare.map((code) => names.get(code) ?? null),
      say,
    ),
    deskNumbers(
      { name: 'pc', unit: 'percent', isChange: true },
      bare.map((code) => changes.get(code) ?? null),
      say,
    ),
  ]
  return { name, columns, codes: members.map((code) => wholeCode(code, 'stock')) }
}
