import { html, type Section } from '../html.js'
import { sayIn } from '../report-language.js'
import type { ReportInput } from '../report-tables.js'
import { checkFindings } from './check-findings.js'
import { loadedTables } from './loaded-tables.js'
import { sourceIdentity } from './source-identity.js'

/** The audit: source and version, what was loaded and whether it is whole, and every check with its worst cases. */
export function appendixSection(input: ReportInput): Section {
  const title = sayIn(input.language)('Appendix: the data and its checks', '附录：数据与核对')
  const body = html`${sourceIdentity(input)}${loadedTables(input)}${checkFindings(input)}`
  return { id: 'appendix', title, body }
}
