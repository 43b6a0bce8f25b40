import { allDatasets, type DatasetName } from '../../contract/catalogue.js'
import { datasetText } from '../../contract/dataset-text.js'
import type { NamedCode } from '../../contract/fitting-names.js'
import { languages } from '../../contract/language.js'
import { sayIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { parseCode } from '../../contract/symbol.js'
import { type Html, html } from '../../research/report/html.js'
import { deskPlaces } from './desk-document.js'
import { deskTables } from './desk-tables.js'
import { type DeskPage, type DeskVisit, deskHref, tryHref } from './desk-visit.js'
import { instrumentOf, namedCodes } from './instrument.js'

/** What was found is told by a link each. */
interface Found {
  readonly href: string
  readonly text: string
  readonly more?: string | undefined
}

/** Codes that are listed at most. */
const most = 50

/** Codes that begin with digits, or whose names a text fits: its characters, or pinyin initials. */
async function codesFor(visit: DeskVisit, text: string): Promise<readonly NamedCode[]> {
  const all = await namedCodes(visit)
  const byCode = all.filter(({ code }) => code.startsWith(text.toUpperCase()))
  const byPart = /^[\x20-\x7e]*$/.test(text) ? [] : all.filter(({ name }) => name.includes(text))
  const byName = byCode.length > 0 ? [] : await visit.market.find(text)
  const seen = new Set<string>()
  return [...byCode, ...byName, ...byPart].filter(({ code }) => !seen.has(code) && seen.add(code)).slice(0, most)
}

/** Whether a text is part of one of some names: Latin letters from where a word begins. */
function fitsIn(text: string): (...names: readonly string[]) => boolean {
  const wanted = text.toLowerCase()
  const isLatin = /^[\x20-\x7e]*$/.test(wanted)
  const fits = (name: string, from = 0): boolean => {
    const at = name.indexOf(wanted, from)
    if (at < 0) return false
    return !isLatin || at === 0 || !/[a-z0-9]/.test(name[at - 1] ?? '') || fits(name, at + 1)
  }
  return (...names) => names.some((name) => fits(name.toLowerCase()))
}

/** What says the same in every language: what is looked for may be named in either. */
const saysOf = languages.map((one) => sayIn(one))

function placesFor(visit: DeskVisit, text: string): readonly Found[] {
  const fits = fitsIn(text)
  const named = saysOf.map((say) => deskPlaces({ ...visit, say }))
  const pages = deskPlaces(visit)
    .filter((_, at) => fits(...named.flatMap((all) => all[at]?.name ?? [])))
    .map(({ name, href }) => ({ href, text: name }))
  const datasets = allDatasets().flatMap((dataset): Found[] => {
    const { title } = datasetText(dataset, visit.say.language)
    if (!fits(dataset.name, ...languages.map((one) => datasetText(dataset, one).title))) return []
    const table = deskTables.find((one) => one.dataset === dataset.name)
    return [
      {
        href: table ? deskHref(visit, ['table', table.id]) : tryHref(visit, dataset.name as DatasetName),
        text: title,
        more: dataset.name,
      },
    ]
  })
  return [...pages, ...datasets]
}

/** Commands whose name or text a text is part of. */
function commandsFor({ folders: { commands = [] }, say }: DeskVisit, text: string): Html | false {
  const fits = fitsIn(text.replace(/^quotebook\s+/i, ''))
  const found = commands.filter(({ name, about }) => fits(name, ...saysOf.map((one) => one(about))))
  const items = found.map(({ name, about }) => {
    const line = `quotebook ${name} --help`
    return html`<li><code>${line}</code> <button type="button" data-copy="${line}">${say('Copy')}</button> ${say(about)}</li>`
  })
  return found.length > 0 && html`<section id="commands"><h2>${say('Commands')}</h2><ul>${items}</ul></section>`
}

function listOf(title: string, found: readonly Found[]): Html | false {
  const items = found.map(
    ({ href, text, more }) =>
      html`<li><a href="${href}"><bdi>${text}</bdi></a>${more !== undefined && html` <code>${more}</code>`}</li>`,
  )
  return found.length > 0 && html`<section><h2>${title}</h2><ul>${items}</ul></section>`
}

/** What a text may mean: codes, names, datasets, pages, commands; where it can mean one thing alone, that page itself. */
export async function findPage(visit: DeskVisit): Promise<DeskPage> {
  const { say, asked } = visit
  const text = (asked.get('q') ?? '').trim().slice(0, 80)
  const title = say(fact('DESK', 'Find'))
  if (text === '')
    return {
      title,
      body: html`<h1>${title}</h1><p>${say('Type a code, a name, its pinyin initials, a dataset, a page or a command.')}</p>`,
    }
  const [codes, places] = [await codesFor(visit, text), placesFor(visit, text)]
  const unnamed = codes.length === 0 && /^\d{5,6}(\.\w+)?$/.test(text) ? await instrumentOf(visit, text) : undefined
  const found = [
    ...codes.map(({ code, name }) => ({ href: deskHref(visit, ['code', code]), text: name, more: code })),
    ...(unnamed ? [{ href: deskHref(visit, ['code', unnamed.code]), text: unnamed.code }] : []),
  ]
  const isWhole =
    codes.length > 0 && codes.every(({ code }) => parseCode(code).bare === parseCode(codes[0]?.code ?? '').bare)
  const [only, ...others] = [...(isWhole ? found.slice(0, 1) : found), ...places]
  const commands = commandsFor(visit, text)
  if (only && others.length === 0)
    return { title, status: 302, location: only.href, body: html`<p><a href="${only.href}">${only.text}</a></p>` }
  const none = html`<p class="absent">${say`Nothing is called “${text}”.`}</p>`
  return {
    title,
    body: html`<h1>${title}${say(': ')}<bdi>${text}</bdi></h1>${only || commands ? [listOf(say('Codes'), found), listOf(say('Pages and datasets'), places), commands] : none}`,
  }
}
