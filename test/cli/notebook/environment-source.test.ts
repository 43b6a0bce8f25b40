import { expect, test } from 'vitest'
import { environmentSource } from '../../../src/cli/notebook/kernel/environment-source.js'

test('an archive in ClickHouse is opened with the password of the environment', () => {
  const env = {
    QUOTEBOOK_SOURCE: 'clickhouse://reader@db1:8123/quotes',
    QUOTEBOOK_CLICKHOUSE_PASSWORD: 'geheim',
  }
  expect(environmentSource(env)).toEqual({
    clickhouse: { url: 'http://db1:8123', database: 'quotes', user: 'reader', password: 'geheim' },
  })
  expect(environmentSource({ QUOTEBOOK_SOURCE: 'dir' })).toEqual({ archive: 'dir' })
})
