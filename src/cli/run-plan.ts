import { basename, extname, resolve } from 'node:path'
import { datasetOf } from '../contract/catalogue.js'
import type { Dataset } from '../contract/dataset.js'
import { beijingMoment, beijingTime } from '../contract/date.js'
import { QuotebookError } from '../contract/error.js'
import { afterCloseBatch } from '../contract/shared.js'
import { rulesOf, type TradingRules } from '../contract/trading-rules.js'
import { archiveStatus } from '../data/archive/archive-status.js'
import { dueDay } from '../data/archive/due-days.js'
import { readHoldings, readStatement } from '../data/archive/import/read-form.js'
import { wallTime } from '../data/source/transport/clock.js'
import type { Market } from '../market.js'
import type { Panel } from '../research/backtest/panel.js'
import { type PaperStrategy, panelUntil, paperChanges, paperDay } from '../research/backtest/paper-account.js'
import { ParamWatch, refuseUnread } from '../research/backtest/param-watch.js'
import { planWarnings } from '../research/backtest/plan-orders.js'
import { compareReal, holdingsIn, realFillsIn } from '../research/backtest/real-fills.js'
import { sha256Text } from '../research/backtest/run-hash.js'
import { nextDecision, type Schedule } from '../research/backtest/schedule.js'
import type { Strategy } from '../research/backtest/strategy.js'
import { moduleHash } from '../research/backtest/strategy-module.js'
import type { PlanView } from '../research/report/plan-page/plan-tables.js'
import { accountNames, runWords, type TypedRun } from './account-words.js'
import { say } from './chosen-language.js'
import { inLanguage } from './error-text.js'
import type { Library } from './library.js'
import { type PaperFolder, type PaperSetup, withPaper } from './paper-folder.js'
import { queryOn, withBar } from './progress-bar.js'
import { sheetSource } from './run-strategy.js'
import { openSource, type SourceOptions } from './source-option.js'
import { anewOf, type Plan, paramValues, planOf, priceDatasetOf } from './strategy-plan.js'
import { wrongUse } from './wrong-use.js'

/** What `quotebook plan` is asked. */
export interface PlanWords extends SourceOptions, TypedRun {
  readonly day?: string
  readonly holdings?: string
  readonly account?: string
  readonly fromToday?: true
  readonly fills?: string
  readonly param?: Record<string, string>
}

/** An evening: its strategy's file, its day, and the moment by which data are due. */
interface Evening {
  readonly library: Library
  readonly market: Market
  readonly file: string
  readonly options: PlanWords
  readonly watch: ParamWatch
  readonly moment: string
  readonly day: string
}

/** Trading days before the day of a plan on which no dataset that it reads may lack rows. */
const checkedBack = 20

/** The strategy of a file with its prices up to a day. */
function loaded(
  { library, file, options, watch }: Evening,
  market: Market,
  from: string | undefined,
  to: string,
): Promise<Plan> {
  const params = watch.over(paramValues(options.param))
  const run = { ...runWords(options), ...(from !== undefined && { from }), to, benchmark: 'none' }
  return withBar(say('data'), (progress) =>
    planOf(file, { library, market, params, run, onProgress: queryOn(progress) }),
  )
}

/** The datasets that a market is asked for from now on, each with the values of its params, which may name a scope. */
function asked({ source }: Market): ReadonlyMap<string, readonly unknown[]> {
  const names = new Map<string, readonly unknown[]>()
  const query = source.query.bind(source)
  source.query = (dataset, params, ...rest) => {
    names.set(dataset.name, [...(names.get(dataset.name) ?? []), ...Object.values(params ?? {})])
    return query(dataset, params, ...rest)
  }
  return names
}

/** @throws QuotebookError ARCHIVE where rows that were due by then are missing, with the time at which they come */
async function refuseMissing(
  { market, day, moment }: Evening,
  panel: Panel,
  names: ReadonlyMap<string, readonly unknown[]>,
): Promise<void> {
  const { archive } = market
  if (!archive) return
  const [end, from] = [`${beijingMoment(day)}`, panel.days.slice(-checkedBack)[0] as string]
  const all = await archive.read((snapshot) => archiveStatus(snapshot, { from, dueBy: end < moment ? end : moment }))
  const told = [...names].flatMap(([name, values]) => {
    const scopes = all.filter(({ dataset }) => dataset === name)
    const own = scopes.filter(({ scope }) => values.includes(scope))
    const rows = own.length > 0 ? own : scopes
    const why =
      rows.length === 0 ? [say('nothing')] : rows.flatMap((row) => (row.missing ? inLanguage(row.why ?? '') : []))
    const { renewed = afterCloseBatch }: Dataset = datasetOf(name)
    const at = 'at' in renewed ? say(' (comes by {at}, Beijing time)', { at: renewed.at.at(-1) as string }) : ''
    return why.length === 0 ? [] : `${name}${say(': ')}${why.join(say(', '))}${at}`
  })
  const last = panel.days.at(-1) as string
  if (last !== day) told.unshift(say('its prices end on {last}, not on {day}', { last, day }))
  if (told.length > 0)
    throw new QuotebookError(
      'ARCHIVE',
      say('no plan of {day}: data are due and missing: {what}', { day, what: told.join(say('; ')) }),
    )
}

const strategyOf = ({ make, strategy }: Plan, { watch, options }: Evening): Strategy =>
  make ? make(watch.over(paramValues(options.param))) : (strategy as Strategy)

/** When a strategy decides next; undefined where its schedule is not known before it runs. */
const nextOf = (strategy: Strategy, panel: Panel): string | undefined =>
  typeof strategy === 'object' && !('prepare' in strategy)
    ? nextDecision((strategy as { readonly when?: Schedule }).when ?? {}, panel)
    : undefined

/** What the account is held against on its page; undefined where the archive has none. */
async function benchmarkOf(
  { library, market }: Evening,
  panel: Panel,
): Promise<NonNullable<PlanView['account']>['benchmark']> {
  try {
    const found = await library.loadBenchmark(market, panel, undefined)
    if (!found || !('equity' in found)) return undefined
    return { name: found.name ?? '', days: found.days, levels: Array.from(found.equity) }
  } catch (error) {
    if (error instanceof QuotebookError) return undefined
    throw error
  }
}

async function holdingsOf({ holdings }: PlanWords): Promise<ReturnType<typeof holdingsIn> | undefined> {
  return holdings === undefined ? undefined : holdingsIn(await readHoldings(holdings))
}

async function viewOf(evening: Evening, plan: Plan, parts: Pick<PlanView, 'plan' | 'account'>): Promise<PlanView> {
  const { file, options, watch, market } = evening
  const params = paramValues(options.param)
  refuseUnread(Object.keys(params), watch.names)
  const code = { name: basename(file), sha256: moduleHash(resolve(file)) }
  return {
    title: plan.title ?? basename(file, extname(file)),
    code,
    params,
    source: await sheetSource(market),
    nextDecision: nextOf(strategyOf(plan, evening), plan.panel),
    ...parts,
  }
}

/** Orders for given holdings. */
async function freePlan(evening: Evening): Promise<PlanView> {
  const { library, market, options, day } = evening
  if (options.holdings !== undefined && options.cash === undefined)
    throw wrongUse('--holdings needs --cash: what is there beside them')
  const names = asked(market)
  const plan = await loaded(evening, market, undefined, day)
  await refuseMissing(evening, plan.panel, names)
  const holdings = await holdingsOf(options)
  const { onProgress: _, ...own } = plan.options
  const strategy = strategyOf(plan, evening)
  const anew = await anewOf(evening.file, strategy, paramValues(options.param))
  const given = { ...own, ...anew, names: plan.names ?? {}, ...(holdings && { holdings }) }
  return viewOf(evening, plan, { plan: library.planOrders(plan.panel, strategy, given) })
}

/** The first day of the setup with which an account goes on. */
const setupDay = ({ days, start }: PaperFolder): string | undefined =>
  days.findLast(({ fromToday }) => fromToday)?.day ?? start

const rulesSum = (rules: TradingRules, kind: string, first: string, last: string): string =>
  sha256Text(JSON.stringify(rulesOf(rules, kind, first, last)))

/** Whether days of an account were run under other trading rules than there are for them now. */
function otherRules(folder: PaperFolder, rules: TradingRules): boolean {
  const last = folder.days.at(-1)
  if (!last) return false
  const whole = folder.setupOf(folder.days.length)?.rules
  if (!last.rules) return whole !== undefined && whole !== sha256Text(JSON.stringify(rules))
  const first = setupDay(folder) as string
  return Object.entries(last.rules).some(([kind, sum]) => sum !== rulesSum(rules, kind, first, last.day))
}

/** @returns the setup, where it is another than the account's and may be */
function changedSetup(
  folder: PaperFolder,
  setup: PaperSetup,
  rules: TradingRules,
  { fromToday, cash }: PlanWords,
): PaperSetup | undefined {
  const old = folder.setupOf(folder.days.length) as PaperSetup
  if (cash !== undefined && Number(cash) !== old.options.cash)
    throw wrongUse('the account began with {cash} yuan; --cash can not change it', { cash: old.options.cash })
  const now: PaperSetup = { ...setup, options: { ...setup.options, cash: old.options.cash } }
  const differs: string[] = (Object.keys(now) as (keyof PaperSetup)[]).filter(
    (name) => name !== 'words' && sha256Text(JSON.stringify(now[name])) !== sha256Text(JSON.stringify(old[name])),
  )
  if (otherRules(folder, rules)) differs.push('rules')
  if (differs.length === 0) return undefined
  if (!fromToday)
    throw wrongUse(
      'the account was run with another {what}; --from-today goes on with what is given, and writes so into the day',
      { what: differs.join(', ') },
    )
  return now
}

/** The panel of an evening that was missed, as it was known then; undefined where the archive does not tell. */
async function panelThen(evening: Evening, start: string, day: string, like: Panel): Promise<Panel | undefined> {
  const { options, library } = evening
  try {
    const then = await openSource({ ...options, asOf: day }, library.connect)
    try {
      const { panel } = await loaded(evening, then, start, day)
      return panel.days[0] === like.days[0] && panel.days.at(-1) === day ? panel : undefined
    } finally {
      await then.close()
    }
  } catch (error) {
    if (error instanceof QuotebookError) return undefined
    throw error
  }
}

/** Makes up the days of an account that are not written, one after the other. */
async function makeUp(
  evening: Evening,
  folder: PaperFolder,
  plan: Plan,
  changed: PaperSetup | undefined,
): Promise<void> {
  const { market, day, moment } = evening
  const { name, state } = await sheetSource(market)
  const start = folder.start as string
  const { options } = folder.setupOf(folder.days.length) as PaperSetup
  const strategy = strategyOf(plan, evening)
  const own: PaperStrategy = {
    strategy,
    options: changed?.options ?? options,
    names: plan.names ?? {},
    ...(await anewOf(evening.file, strategy, paramValues(evening.options.param))),
  }
  const last = folder.days.at(-1)?.day ?? ''
  const kinds = [...new Set(plan.panel.instruments.map(({ kind }) => kind))].sort()
  let other = changed
  for (const one of plan.panel.days.filter((each) => each >= start && each > last && each <= day)) {
    const then = one === day ? undefined : await panelThen(evening, start, one, plan.panel)
    const run = paperDay(then ?? panelUntil(plan.panel, one), own, folder.days.at(-1)?.state)
    const asOf = one === day ? (evening.options.asOf ?? null) : then ? (beijingMoment(one) as string) : null
    const first = other ? one : (setupDay(folder) as string)
    const { rules } = plan.panel
    const sums = Object.fromEntries(kinds.map((kind) => [kind, rulesSum(rules, kind, first, one)]))
    await folder.add({
      at: moment,
      source: { name, state },
      asOf,
      rules: sums,
      ...(other && { fromToday: other }),
      ...run,
    })
    other = undefined
  }
}

const setupWords = (typed: PlanWords): NonNullable<PaperSetup['words']> =>
  runWords(Object.fromEntries(accountNames.map((name) => [name, typed[name]])))

/** What was typed, over what the account was begun with; with --from-today that alone. */
function keptOptions(folder: PaperFolder, typed: PlanWords): PlanWords {
  if (typed.fromToday) return typed
  const { words = {}, params = {} } = folder.setupOf(folder.days.length) ?? {}
  const kept = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return { ...words, ...typed, param: { ...kept, ...typed.param } }
}

/** The day of a paper account, with all that were missed before it. */
async function paperPlan(given: Evening, folder: PaperFolder): Promise<PlanView> {
  const evening = { ...given, options: keptOptions(folder, given.options) }
  const { market, options, file, day } = evening
  const last = folder.days.at(-1)?.day
  if (last !== undefined && day < last)
    throw wrongUse('the account is at {last} already, later than {day}', { last, day })
  const names = asked(market)
  const plan = await loaded(evening, market, folder.start ?? day, day)
  await refuseMissing(evening, plan.panel, names)
  const { onProgress: _, ...account } = plan.options
  const setup = {
    file: basename(file),
    sha256: moduleHash(resolve(file)),
    params: paramValues(options.param),
    options: account,
    words: setupWords(options),
  }
  const changed = folder.start === undefined ? undefined : changedSetup(folder, setup, plan.panel.rules, options)
  const strategy = strategyOf(plan, evening)
  if (folder.start === undefined) await folder.begin(day, setup)
  await makeUp(evening, folder, plan, changed)
  const { days } = folder
  const since = setupDay(folder) ?? day
  const optionsOf = (at: number) => (folder.setupOf(at) as PaperSetup).options
  const changes = paperChanges(plan.panel, strategy, days, { optionsOf, since })
  const { plan: planned, lookahead } = days.at(-1) as (typeof days)[number] & {
    readonly lookahead?: PlanView['plan']['lookahead']
  }
  const told = await holdingsOf(options)
  const real =
    options.fills === undefined ? undefined : compareReal(days, realFillsIn(await readStatement(options.fills)), told)
  return viewOf(evening, plan, {
    plan: { ...planned, unknown: [], lookahead, warnings: planWarnings(plan.panel, strategy, planned, lookahead) },
    account: {
      start: optionsOf(0).cash,
      days,
      changes,
      benchmark: await benchmarkOf(evening, plan.panel),
      ...(real && { real }),
    },
  })
}

/**
 * The orders of an evening.
 * @throws QuotebookError USAGE for a source that is no archive; ARCHIVE where data are due and missing
 */
export async function runPlan(library: Library, market: Market, file: string, options: PlanWords): Promise<PlanView> {
  const { account, fills, fromToday } = options
  if (!market.archive)
    throw wrongUse(
      'a plan needs an archive, which tells what is due; {name} is a service: sync it, or give --cache of it as --source',
      { name: market.source.name },
    )
  if (account === undefined && (fills ?? fromToday) !== undefined)
    throw wrongUse('--fills and --from-today need --account')
  if (account !== undefined && options.holdings !== undefined && fills === undefined)
    throw wrongUse('--holdings with --account is what the broker has, beside --fills')
  const now = beijingTime(wallTime()).slice(0, 19)
  const moment = options.asOf === undefined ? now : (beijingMoment(options.asOf) ?? now)
  const day = options.day ?? dueDay(await priceDatasetOf(file), moment)
  const evening = { library, market, file, options, watch: new ParamWatch(), moment, day }
  return account === undefined ? freePlan(evening) : withPaper(account, (folder) => paperPlan(evening, folder))
}
