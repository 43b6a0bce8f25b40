import type { ConnectOptions } from '../../../connect.js'
import { clickHouseAddress, isClickHouseAddress } from '../../../data/clickhouse/clickhouse-address.js'
import { apiTarget, nodeAddresses, nodesIn, noKey } from '../../../data/source/transport/node-address.js'

/**
 * Options of `connect` for the source that the environment names, as the command line understands it: `sample`, the directory
 * of an archive, its address in ClickHouse, or addresses of a service, whose key is in QUOTEBOOK_APIKEY. A service on this machine may need none.
 */
export function environmentSource(env: Readonly<Record<string, string | undefined>>): ConnectOptions {
  const source = env['QUOTEBOOK_SOURCE']?.trim() || 'sample'
  if (source === 'sample') return {}
  if (isClickHouseAddress(source)) {
    return { clickhouse: clickHouseAddress(source, env['QUOTEBOOK_CLICKHOUSE_PASSWORD']) }
  }
  if (!/^(\w+=)?https?:\/\//i.test(source)) return { archive: source }
  const nodes = nodesIn(source)
  const isHere = nodeAddresses(nodes).every((node) => apiTarget(node).isLocal)
  const { QUOTEBOOK_APIKEY: given = '' } = env
  return { nodes, apikey: given.trim() === '' ? (isHere ? noKey : '') : given }
}
