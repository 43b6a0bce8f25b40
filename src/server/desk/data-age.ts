import { allNames, datasetOf } from '../../contract/catalogue.js'
import { isSynthetic } from '../../contract/dataset-text.js'
import { fact } from '../../contract/sentence.js'
import { archiveScopes, type ScopeFacts } from '../../data/archive/archive-status.js'
import { type ArchiveReach, archiveReach, lastDue } from '../../data/archive/due-days.js'
import { day, many } from '../../research/report/format-number.js'
import { type Html, html } from '../../research/report/html.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

/** How far the archive reaches now; undefined of one without days. */
export async function dataReach({ market, once, moment }: DeskVisit): Promise<ArchiveReach | undefined> {
  const { archive } = market
  return archive && once(`reach ${dueBy(moment)}`, () => archive.read((one) => archiveReach(one, moment)))
}

/** The days that are due of each dataset: what is computed of them holds until others are. */
const dueBy = (moment: string): string =>
  allNames()
    .map((name) => lastDue(datasetOf(name), moment))
    .join()

/** What the archive has of each dataset by now, and which days it lacks; computed again when more are due. */
export async function archiveFacts({ market, once, moment }: DeskVisit): Promise<readonly ScopeFacts[]> {
  const { archive } = market
  return archive
    ? once(`status ${dueBy(moment)}`, () => archive.read((one) => archiveScopes(one, { dueBy: moment })))
    : []
}

/** How many datasets of some statuses there are: some have many scopes. */
export const countDatasets = (all: readonly ScopeFacts[]): number =>
  new Set(all.map(({ status }) => status.dataset)).size

/** Whether orders that were decided at the close of a day may still be given. On synthetic data time stands still at their end. */
export function isForTonight({ about }: DeskVisit, decided: string, reach: ArchiveReach | undefined): boolean {
  return decided === reach?.last && (reach.missing.length === 0 || isSynthetic(about))
}

/** What is due and missing by now, as `quotebook plan` says it; undefined where nothing is. */
export function lateText({ say }: DeskVisit, { last, due, missing }: ArchiveReach): string | undefined {
  if (missing.length === 0) return undefined
  const [from, to] = [day(missing[0]), day(missing.at(-1))]
  const span = missing.length === 1 ? from : `${from} – ${to}`
  return say`The prices end on ${day(last)}, not on ${day(due)}: ${many(missing.length, 'trading day')} are due and missing (${span}).`
}

/** The last day of the data, and how many trading days were due since. */
export async function dataAge(visit: DeskVisit): Promise<Html | false> {
  const { say } = visit
  const reach = await dataReach(visit)
  if (!reach) return false
  const late = lateText(visit, reach)
  if (late === undefined)
    return html`<p class="note age">${say`The data go to ${day(reach.last)}, the last trading day that is due.`}</p>`
  const lacking = (await archiveFacts(visit)).filter(({ missing }) =>
    missing.some((one) => reach.missing.includes(one)),
  )
  const from = say`They are missing from ${many(countDatasets(lacking), 'dataset')}.`
  const link =
    visit.parts[0] !== 'coverage' &&
    html`<a href="${deskHref(visit, ['coverage'])}">${say(fact('DESK', 'Coverage'))}</a>`
  return html`<p class="light amber age"><b>▲ ${say('Late')}</b> ${late} ${from} ${!isSynthetic(visit.about) && say('Bring them by quotebook sync.')} ${link}</p>`
}
