import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followMonth } from '../../helper/month.js'
import { monthDays } from '../../helper/month-faults.js'
import { tempDir } from '../../helper/temp.js'

test('a week of a vendor that misbehaves: each day is right or named, and the follower goes on', async () => {
  const plan = {
    '502 503 504 as pages': 1,
    'late by 20 minutes': 2,
    'JSON cut in the middle': 3,
    'rows twice': 4,
    'every fifth row dropped of settled days': 5,
  }
  const { unnamed, ends, silent } = await followMonth(join(tempDir(), 'own'), monthDays.slice(-7), plan, [
    'theme_daily',
    'st',
  ])
  expect({ unnamed, ends, silent }).toEqual({ unnamed: [], ends: [], silent: [] })
})
