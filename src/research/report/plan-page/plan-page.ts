import type { Language } from '../../../contract/language.js'
import type { Say } from '../../../contract/say.js'
import { sayIn, wordsIn } from '../../../contract/say.js'
import type { OrderPlan } from '../../backtest/plan-orders.js'
import type { RealAccount } from '../../backtest/real-fills.js'
import { sha256Text } from '../../backtest/run-hash.js'
import { daysFigure } from '../chart-figure.js'
import { day, fixed, many } from '../format-number.js'
import { grid, type Html, html, lines, type Section } from '../html.js'
import { htmlDocument } from '../html-document.js'
import { headTile, type PageTop, pageTop, sparkline } from '../page-header.js'
import { lineSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import { underwater } from '../tear-sheet/measured-series.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { type CodeShown, heldGrid, type PlanTable, type PlanView, planGrid, planTables } from './plan-tables.js'
import { planWords } from './plan-words.js'

/** What the benchmark would have made of the start, by day of the account; undefined where it lacks one of them. */
function benchmarkCurve({ start, days, benchmark }: NonNullable<PlanView['account']>): Float64Array | undefined {
  if (!benchmark) return undefined
  const levels = new Map(benchmark.days.map((one, at) => [one, benchmark.levels[at] ?? Number.NaN]))
  const own = Float64Array.from(days, (one) => levels.get(one.day) ?? Number.NaN)
  return own.some(Number.isNaN) ? undefined : own.map((level) => (start * level) / (own[0] as number))
}

function curve(say: Say, account: NonNullable<PlanView['account']>): Promise<Html> {
  const { start, days } = account
  const equity = Float64Array.from(days, (one) => one.equity)
  const money = (value: number | undefined): string => fixed(value, 2)
  const [first, last, end] = [day(days[0]?.day), day(days.at(-1)?.day), money(equity.at(-1) ?? start)]
  const [name, under] = [planWords.equity(say), say('Below the highest value before, percent')]
  const other = benchmarkCurve(account)
  const [falls, otherFalls] = [underwater(start, equity), other && underwater(start, other)]
  const lines = (own: Float64Array, beside: Float64Array | undefined) => [
    ...(beside ? [lineSeries(beside, 'two', { dash: 'dashed' })] : []),
    lineSeries(own, 'one'),
  ]
  const called = account.benchmark?.name ?? ''
  return daysFigure(say, {
    id: 'plan-equity',
    title: say('The paper account'),
    desc: say`From ${first} to ${last}: ${money(start)} yuan became ${end} yuan.`,
    x: { dates: days.map((one) => one.day) },
    panels: [
      { name: say`${name}, yuan`, height: 170, format: { digits: 0, exact: 2 }, series: lines(equity, other) },
      {
        name: under,
        height: 80,
        zero: 'top',
        format: { percent: true, digits: 1, exact: 2 },
        series: lines(falls, otherFalls),
      },
    ],
    key: other
      ? [
          { sign: 'line', ink: 'one', text: say('Account') },
          { sign: 'dashed', ink: 'two', text: called },
        ]
      : [],
    columns: [
      grid.values(name, say('yuan'), equity, money),
      grid.values(say('below high'), undefined, falls, (value) => percentText(value)),
      ...(other ? [grid.values(called, say('yuan'), other, money)] : []),
    ],
  })
}

function lookaheadText(say: Say, { lookahead }: OrderPlan): string {
  if (!lookahead) return say('not run')
  if (lookahead.fault) return say('cannot be checked, see the warnings')
  const time = lookahead.firstDifference?.time ?? ''
  return lookahead.ok ? say`none in ${lookahead.cuts} cuts` : say`USES THE FUTURE at ${time}`
}

/** Figures of the account: what it is worth with its days as a line, the change since its start, cash, holdings, and when it decides next. */
function planTiles(say: Say, { plan, account, nextDecision: next }: PlanView): Html[] {
  const figure = (value: number, text: string, side = ''): Html =>
    html`<data value="${value}" class="${side}">${text}</data>`
  const yuan = (name: string): string => say`${name}, yuan`
  const gained = account && plan.equity / account.start - 1
  const line =
    account &&
    sparkline(
      account.days.map(({ equity }) => equity),
      'span',
    )
  return [
    headTile(yuan(planWords.equity(say)), html`${figure(plan.equity, fixed(plan.equity, 0))}${line}`),
    ...(gained === undefined
      ? []
      : [
          headTile(
            say('since the start'),
            figure(gained, signedPercent(gained), gained > 0 ? 'up' : gained < 0 ? 'down' : ''),
          ),
        ]),
    headTile(yuan(planWords.cash(say)), figure(plan.cash, fixed(plan.cash, 0))),
    headTile(planWords.orders(say), figure(plan.orders.length, String(plan.orders.length))),
    ...(next === undefined ? [] : [headTile(say('next decision, at the close of'), figure(Number(next), day(next)))]),
  ]
}

function topOf(say: Say, view: PlanView): PageTop {
  const { title, source, plan, nextDecision: decides } = view
  const { orders, isDecided } = plan
  const [date, next] = [day(plan.day), day(plan.tradeDay)]
  const [equity, cash, left] = [plan.equity, plan.cash, plan.cashLeft].map((value) => fixed(value, 2))
  const lead = say`Decided at the close of ${date}: ${many(orders.length, 'order')} for ${next}. Worth ${equity} yuan, of which ${cash} in cash; ${left} in cash when all is filled at the last close.`
  const undecided = say`The strategy decides nothing on ${date}: by its schedule, or because it has no order.`
  const idle =
    decides === undefined
      ? say('There is nothing to do.')
      : say`There is nothing to do. The next decision falls at the close of ${day(decides)}.`
  return pageTop(say, {
    kicker: view.account ? say('The paper account') : say('Orders for the next trading day'),
    title,
    source,
    lead: sentences(say, lead, isDecided ? '' : undecided, orders.length === 0 ? idle : ''),
    tiles: planTiles(say, view),
    facts: [
      [say('Decided at the close of'), date],
      [say('Look-ahead check'), lookaheadText(say, plan)],
    ],
    hash: source.state === undefined ? undefined : [say('State of the archive, sha256'), source.state],
  })
}

function realNote(say: Say, { slippage, fees, missed }: RealAccount): Html {
  const [slip, fee] = [fixed(slippage, 2), fixed(fees, 2)]
  return html`<p class="note">${say`Slippage against the paper account ${slip} yuan; fees ${fee} yuan; ${missed} orders were not filled at all.`}</p>`
}

/** The parts of a page of orders: its top, what stands on its first screen, and the rest. */
export async function planParts(view: PlanView, lang: Language, codeOf?: CodeShown) {
  const say = sayIn(lang)
  const { plan, account } = view
  const tables = Object.entries(planTables(view)) as [PlanTable, readonly object[]][]
  const sections = tables.map(([name, rows]): Section => {
    const note = name === 'real' && account?.real && realNote(say, account.real)
    return {
      id: name,
      title: planWords[name](say),
      body: html`${note}${name === 'holdings' ? heldGrid(say, view, codeOf) : planGrid(say, name, rows, codeOf)}`,
    }
  })
  const warned = plan.warnings.map((text) => wordsIn(text, lang))
  const minded = warned.length ? [{ id: 'warnings', title: say('Mind this'), body: lines(warned) }] : []
  const kept = account ? [{ id: 'account', title: say('The paper account'), body: await curve(say, account) }] : []
  const [orders, untraded, holdings, ...more] = sections
  return {
    top: topOf(say, view),
    first: (plan.orders.length > 0 ? [orders, ...kept] : [...kept, orders]).filter((one) => one !== undefined),
    sections: [...minded, untraded, holdings, ...more].filter((one) => one !== undefined),
  }
}

/** The orders of an evening on one self-contained page, with the paper account where there is one. */
export async function planPage(view: PlanView, lang: Language, interactive = false): Promise<string> {
  const say = sayIn(lang)
  const { plan, account, code, params, source } = view
  return htmlDocument({
    say,
    title: `${view.title} ${plan.tradeDay}`,
    manifest: {
      kind: 'plan',
      options: { ...params, lang, day: plan.day },
      source,
      code,
      inputs: [{ name: 'plan', rows: plan.orders.length, sha256: sha256Text(JSON.stringify([plan, account])) }],
    },
    interactive,
    ...(await planParts(view, lang)),
    footer: say('Nothing was sent to a broker. '),
  })
}
