import { groupItems } from '../../../frame/table/group-items.js'
import { manifestStart, type PageInput, type PageKind, type PageManifest, pageHash } from './page-manifest.js'
import type { PageFigure, ReadPage } from './read-page.js'

/** A figure that two pages do not show alike; undefined where one of them has none. */
export interface FigureChange {
  readonly section: string
  readonly label: string
  readonly page: string | undefined
  readonly here: string | undefined
  /** `here` less `page`, where both are numbers; of the exact values where the pages give them. */
  readonly by?: number
}

/** Something of the manifests that is not alike, as text; undefined where one of them has none. */
export interface ManifestChange {
  readonly name: string
  readonly page: string | undefined
  readonly here: string | undefined
}

/**
 * Why two pages are not the same byte for byte. `altered`: the page does not have the checksum that it states. `unexplained`: it has, and
 * nothing that it states explains how it differs: it was changed and given another checksum, or another build of this version made it.
 */
export type DifferenceReason = 'altered' | 'unexplained' | 'version' | 'options' | 'inputs' | 'code' | 'source'

/** The result of comparing a page with the same page built again. */
export interface Verification {
  readonly kind: PageKind
  /** The pages are the same byte for byte, but for what `source` says. */
  readonly same: boolean
  readonly reasons: readonly DifferenceReason[]
  /** Whether the page has the checksum that it states of itself: without it, it was changed after it was made. */
  readonly sealed: boolean
  /** As the page states it. */
  readonly manifest: PageManifest
  readonly version: { readonly page: string; readonly here: string }
  readonly options: readonly ManifestChange[]
  readonly inputs: readonly ManifestChange[]
  readonly code: readonly ManifestChange[]
  /** What the source is called, and its state: another name, or a later state with the same rows, is no other page. */
  readonly source: readonly ManifestChange[]
  readonly figures: readonly FigureChange[]
  readonly firstDifference?: { readonly line: number; readonly page: string; readonly here: string }
}

function changesIn(page: Readonly<Record<string, unknown>>, here: Readonly<Record<string, unknown>>): ManifestChange[] {
  const names = [...new Set([...Object.keys(page), ...Object.keys(here)])].sort()
  return names.flatMap((name): ManifestChange[] => {
    const [a, b] = [page[name], here[name]].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    return a === b ? [] : [{ name, page: a, here: b }]
  })
}

function inputTexts(inputs: readonly PageInput[]): Readonly<Record<string, string>> {
  const texts = inputs.map(({ name, rows, sha256, complete }) => {
    const whole = complete === undefined ? '' : complete ? ', complete' : ', not shown to be complete'
    return [name, `${rows} rows${whole}${sha256 === undefined ? '' : `, sha256 ${sha256}`}`]
  })
  return Object.fromEntries(texts)
}

/** `-1,234.5 %` as a number; NaN for what is none. */
function numberIn({ text, value }: PageFigure, isExact: boolean): number {
  if (isExact && value !== undefined && value !== '') return Number(value)
  const digits = /^[+\-−]?[\d,]*\.?\d+/.exec(text)?.[0].replaceAll(',', '').replace('−', '-')
  return Number(digits ?? Number.NaN)
}

function figureChange(page: PageFigure | undefined, here: PageFigure | undefined): FigureChange | undefined {
  if (page?.text === here?.text && page?.value === here?.value) return undefined
  const { section, label } = (page ?? here) as PageFigure
  const exact = page?.value !== here?.value
  const by = page && here ? numberIn(here, exact) - numberIn(page, exact) : Number.NaN
  const shown = (figure: PageFigure | undefined, other: PageFigure | undefined): string | undefined =>
    figure?.text === other?.text && figure?.value !== undefined ? `${figure.text} (${figure.value})` : figure?.text
  return {
    section,
    label,
    page: shown(page, here),
    here: shown(here, page),
    ...(Number.isNaN(by) ? {} : { by: Number(by.toPrecision(12)) }),
  }
}

function figureChanges(page: readonly PageFigure[], here: readonly PageFigure[]): FigureChange[] {
  const placeOf = ({ section, label }: PageFigure): string => `${section}\n${label}`
  const [before, after] = [groupItems(page, placeOf), groupItems(here, placeOf)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key) ?? [], after.get(key) ?? []]
    const count = Math.max(was.length, is.length)
    return Array.from({ length: count }, (_, i) => figureChange(was[i], is[i]) ?? []).flat()
  })
}

function firstDifference(page: string, here: string): Verification['firstDifference'] {
  const [a, b] = [page.split('\n'), here.split('\n')]
  const differ = [...a.keys()].filter((i) => a[i] !== b[i])
  // Of the manifest there is more to be told than where it begins to differ.
  const line = differ.find((i) => !a[i]?.startsWith(manifestStart)) ?? differ[0] ?? a.length
  const [was = '', is = ''] = [a[line], b[line]]
  let from = 0
  while (from < was.length && was[from] === is[from]) from++
  const part = (text: string): string => text.slice(Math.max(0, from - 40), from + 80)
  return { line: line + 1, page: part(was), here: part(is) }
}

type Found = Omit<Verification, 'same' | 'reasons' | 'firstDifference'>

function reasonsOf({ sealed, version, options, inputs, code, source, figures }: Found): DifferenceReason[] {
  const reasons: DifferenceReason[] = []
  if (!sealed) reasons.push('altered')
  if (version.page !== version.here) reasons.push('version')
  if (options.length > 0) reasons.push('options')
  if (inputs.length > 0) reasons.push('inputs')
  if (code.length > 0) reasons.push('code')
  if (source.some(({ name }) => name === 'about')) reasons.push('source')
  // Other inputs that leave every figure as it was are a manifest that tells of something else than the page.
  const isUnexplained = reasons.length === 0 || (reasons.join() === 'inputs' && figures.length === 0)
  return isUnexplained ? ['unexplained', ...reasons] : reasons
}

/** A page beside the same page as it is made now. */
export function comparePages(page: ReadPage, here: ReadPage, source: readonly ManifestChange[]): Verification {
  const [was, is] = [page.manifest, here.manifest]
  const { page: stated, ...manifest } = was
  const found: Found = {
    kind: was.kind,
    sealed: pageHash(page.markup, stated) === stated,
    manifest,
    version: { page: was.version, here: is.version },
    options: changesIn({ kind: was.kind, ...was.options }, { kind: is.kind, ...is.options }),
    inputs: changesIn(inputTexts(was.inputs), inputTexts(is.inputs)),
    code: changesIn({ sha256: was.code?.sha256 }, { sha256: is.code?.sha256 }),
    source,
    figures: figureChanges(page.figures, here.figures),
  }
  if (page.markup === here.markup) return { ...found, same: true, reasons: [] }
  const first = firstDifference(page.markup, here.markup)
  return { ...found, same: false, reasons: reasonsOf(found), ...(first && { firstDifference: first }) }
}

/** What differs in how two manifests name their source. */
export function sourceChanges(page: PageManifest, here: PageManifest): ManifestChange[] {
  return changesIn({ ...page.source }, { ...here.source })
}
