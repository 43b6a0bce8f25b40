import { southboundFlows } from '../../../analysis/southbound/flows.js'
import { checkSouthbound } from '../../../checks/southbound/check.js'
import type { FlowUnit } from '../../../checks/southbound/southbound-channels.js'
import { QuotebookError } from '../../../contract/error.js'
import { emit } from '../../output.js'
import { type CheckOptions, rowsOf } from './read.js'
import { showCheck } from './show.js'

export interface SouthboundOptions extends CheckOptions {
  readonly flows?: true
  readonly unit: FlowUnit
  readonly rate?: number
}

export async function southbound(options: SouthboundOptions): Promise<void> {
  const { flows, unit, rate, format, out } = options
  if (rate !== undefined && !flows) throw new QuotebookError('USAGE', '--rate is for --flows; sums need none')
  const table = await rowsOf('southbound_top10', options)
  if (!flows) return showCheck(checkSouthbound(table, { unit }), options)
  await emit(southboundFlows(table, rate === undefined ? { unit } : { unit, rate }).table, format, out)
}
