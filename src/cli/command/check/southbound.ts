import type { Table } from 'apache-arrow'
import { checkSouthbound } from '../../../analysis/southbound/check.js'
import { southboundFlows } from '../../../analysis/southbound/flows.js'
import { emit } from '../../output.js'
import { type CheckOptions, rowsOf } from './read.js'
import { showCheck } from './show.js'

export async function southbound(options: CheckOptions & { readonly flows?: true }): Promise<void> {
  const table: Table = await rowsOf('southbound_top10', options)
  if (options.flows) await emit(southboundFlows(table).table, options.format, options.out)
  else await showCheck(checkSouthbound(table), options)
}
