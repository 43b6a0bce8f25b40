import { html } from '../html.js'
import { checkFindings } from './check-findings.js'
import { loadedTables } from './loaded-tables.js'
import type { ReportSection } from './report-section.js'
import { sourceIdentity } from './source-identity.js'

/** The audit: source and version, what was loaded and whether it is complete, and every check with its worst cases. */
export const appendixSection: ReportSection = {
  title: ['Appendix: the data and its checks', '附录：数据与核对'],
  body: (input) => html`${sourceIdentity(input)}${loadedTables(input)}${checkFindings(input)}`,
}
