import { sentence } from './sentence.js'

export const holidayWords = {
  newYear: sentence`New Year`,
  spring: sentence`Spring Festival`,
  qingming: sentence`Qingming Festival`,
  labour: sentence`Labour Day`,
  dragonBoat: sentence`Dragon Boat Festival`,
  midAutumn: sentence`Mid-Autumn Festival`,
  national: sentence`National Day`,
  midAutumnAndNational: sentence`Mid-Autumn Festival and National Day`,
}

/** The days of a year on which the exchanges are closed beside Saturdays and Sundays, and where that was said. */
export interface ClosedYear {
  readonly year: number
  /** The notice of the State Council on the holidays of the year, with its date; the exchanges' own follow it in December. */
  readonly notice: string
  /** Weekdays by what is celebrated, MMDD, or from one to another. */
  readonly days: Readonly<Partial<Record<keyof typeof holidayWords, string>>>
}

/**
 * One record a year, ascending and without a gap. A year is added when the exchanges have given notice of it, not before: the
 * holidays follow the moon, and the days that are worked for them are decided year by year.
 */
export const closedYears: readonly ClosedYear[] = [
  {
    year: 2022,
    notice: '国办发明电〔2021〕11号, 2021-10-25',
    days: {
      newYear: '0103',
      spring: '0131-0204',
      qingming: '0404-0405',
      labour: '0502-0504',
      dragonBoat: '0603',
      midAutumn: '0912',
      national: '1003-1007',
    },
  },
  {
    year: 2023,
    notice: '国办发明电〔2022〕16号, 2022-12-08',
    days: {
      newYear: '0102',
      spring: '0123-0127',
      qingming: '0405',
      labour: '0501-0503',
      dragonBoat: '0622-0623',
      midAutumnAndNational: '0929 1002-1006',
    },
  },
  {
    year: 2024,
    notice: '国务院办公厅关于2024年部分节假日安排的通知, 2023-10-25; the exchanges add 0209 (2023-12-26)',
    days: {
      newYear: '0101',
      spring: '0209 0212-0216',
      qingming: '0404-0405',
      labour: '0501-0503',
      dragonBoat: '0610',
      midAutumn: '0916-0917',
      national: '1001-1004 1007',
    },
  },
  {
    year: 2025,
    notice: '国办发明电〔2024〕12号, 2024-11-12',
    days: {
      newYear: '0101',
      spring: '0128-0131 0203-0204',
      qingming: '0404',
      labour: '0501-0502 0505',
      dragonBoat: '0602',
      midAutumnAndNational: '1001-1003 1006-1008',
    },
  },
  {
    year: 2026,
    notice: '国务院办公厅关于2026年部分节假日安排的通知, 2025-11-04; the exchanges, 2025-12-22',
    days: {
      newYear: '0101-0102',
      spring: '0216-0220 0223',
      qingming: '0406',
      labour: '0501 0504-0505',
      dragonBoat: '0619',
      midAutumn: '0925',
      national: '1001-1002 1005-1007',
    },
  },
]
