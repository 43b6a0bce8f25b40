import type { Table } from 'apache-arrow'
import { messageOf, QuotebookError } from '../contract/error.js'
import type { Market } from '../market.js'
import type { ReportInput } from '../report/report-tables.js'
import { firstTickYear } from '../ticks/tick-files.js'
import type { Days } from './load.js'

type Found = Pick<ReportInput, 'ticks' | 'withoutTicks'>

/** What is told of a share and is the same whoever asks: its link and its password are not. */
const told = ['data_type', 'year', 'start_date', 'end_date', 'file_count', 'size_bytes', 'status']

function codeOf(error: unknown): string | undefined {
  return error instanceof QuotebookError ? error.code : undefined
}

/** The share of the latest year; undefined where the key has no right to it, and where no files reach so far. */
export async function shareOfYear(market: Market, { latest }: Days): Promise<Table | undefined> {
  const params = { data_type: 'auction_tick', year: Number(latest.slice(0, 4)) }
  try {
    return await market.query('file_download', params, { fields: told })
  } catch (error) {
    if (codeOf(error) === 'FORBIDDEN' || codeOf(error) === 'INVALID_PARAMS') return undefined
    throw error
  }
}

async function latestDay(market: Market, latest: string): Promise<string | undefined> {
  for (let year = Number(latest.slice(0, 4)); year >= firstTickYear; year--) {
    const day = (await market.ticks.days(year)).filter((one) => one <= latest).at(-1)
    if (day !== undefined) return day
  }
  return undefined
}

/** The ticks of the last day that has a file; or why a service that has some can not be read. */
export async function latestTicks(market: Market, { latest }: Days): Promise<Found> {
  if (!market.archive && !market.source.get) return {}
  let day: string | undefined
  try {
    day = await latestDay(market, latest)
  } catch (error) {
    if (codeOf(error) === 'FORBIDDEN')
      return { withoutTicks: 'the plan of the key does not include the auction-tick files' }
    if (codeOf(error) === 'FILE') return { withoutTicks: messageOf(error) }
    throw error
  }
  return day === undefined ? {} : { ticks: { day, table: await market.ticks.read(day) } }
}
