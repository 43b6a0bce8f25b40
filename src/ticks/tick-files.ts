import type { Table } from 'apache-arrow'

/** The auction-tick files of a source, one a day. */
export interface TickFiles {
  /** Days that have a file, ascending, `YYYYMMDD`; of one year where it is given. */
  days(year?: number): Promise<string[]>
  /**
   * The ticks of one day, with whatever columns its file has, held against its checksum where there is one.
   * @throws QuotebookError FILE when the day has no file, or what came is not the file
   */
  read(day: string): Promise<Table>
}

/** First year of the files (section 4.13). */
export const firstTickYear = 2022
