/** The client of ClickHouse; src/build/lib.mjs bundles it as `#clickhouse`. */
export { ClickHouseLogLevel, createClient } from '@clickhouse/client'
