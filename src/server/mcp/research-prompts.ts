import { ParamsError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import type { Say } from '../../contract/say.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { outsideMark } from './table-reply.js'

/** A question of the research notebooks, and the way to its answer through the tools. */
interface ResearchPrompt {
  readonly name: string
  readonly title: Words
  readonly description: Words
  readonly args: readonly { readonly name: string; readonly description: Words; readonly usual: Words }[]
  readonly steps: (given: Readonly<Record<string, string>>) => readonly Words[]
}

const first = {
  name: 'from',
  description: sentence`First day, YYYYMMDD.`,
  usual: sentence`the first day that quotebook://archive/status shows`,
}
const last = { name: 'to', description: sentence`Last day, YYYYMMDD.`, usual: sentence`the latest day` }
const index = { name: 'index', description: sentence`Name of a statistical index.`, usual: '全A等权' }

/** The five questions, in the order of the notebooks 02 to 06. */
// biome-ignore format: a table, one entry a line
export const researchPrompts: readonly ResearchPrompt[] = [
  {
    name: 'etf_minutes',
    title: sentence`ETF minutes and vwap`,
    description: sentence`When does an ETF trade, at what average price, and is the printed vwap right?`,
    args: [{ name: 'days', description: sentence`Trading days up to the latest.`, usual: '5' }],
    steps: ({ days }) => [
      sentence`Call check {"check":"vwap","days":${days}}: are the printed averages the recomputed ones, and if not, where?`,
      sentence`Call check {"check":"bars","days":${days}} and check {"check":"periods","days":${days}}: do the bars hold together?`,
      sentence`With sql on etf_minute where period = '15m', or query of etf_minute, find the share of each bar in the turnover of its day, and its mean by trademin.`,
      sentence`Say when the day is traded, and how much of the vwap was confirmed, left open and contradicted.`,
    ],
  },
  {
    name: 'convertible_premium',
    title: sentence`Convertible bonds and their premium`,
    description: sentence`Which bonds trade below conversion value, since when, and is the printed premium right?`,
    args: [first, last],
    steps: ({ from, to }) => [
      sentence`Call query of convertible_daily with startdate ${from} and enddate ${to}, fields tradedate, code, name, close, cb_value, cb_over_rate (or sql).`,
      sentence`Recompute the premium: (close / cb_value - 1) * 100. Call check {"check":"cb premium"} for the exact verdicts.`,
      sentence`A bond trades below conversion value where close < cb_value. For those of the last day find the first day of the unbroken run.`,
      sentence`A missing cb_value is not known, never zero: name such bonds apart.`,
    ],
  },
  {
    name: 'southbound_flows',
    title: sentence`Southbound flows against an index`,
    description: sentence`What did the southbound channel buy, and does it move with the market?`,
    args: [first, last, index],
    steps: ({ from, to, index: name }) => [
      sentence`Call query of southbound_top10 with startdate ${from} and enddate ${to}. A stock in both channels has two rows with the same sh_ and sz_ columns: count (trade_date, code) once.`,
      sentence`Net by day is the sum of sh_buy - sh_sell + sz_buy - sz_sell; \`amount\` may count a channel twice. Call check {"check":"southbound"}.`,
      sentence`Call query {"dataset":"theme_daily","params":{"type":"tj","startdate":"${from}"}} and take ${name}. Flows of a day are known at 18:00: only the next trading day could have been traded.`,
      sentence`Correlate, and say how few days these are. The ten of a channel are not all of its trade.`,
    ],
  },
  {
    name: 'opening_auction',
    title: sentence`The opening auction`,
    description: sentence`How does a price form before 9:25, and was the opening gap kept?`,
    args: [{ name: 'symbol', description: sentence`A stock.`, usual: sentence`the one with the largest matched volume` }],
    steps: ({ symbol }) => [
      sentence`Tick files are read by sql as \`ticks\`; first: select * from ticks limit 5, for their columns are those of the files.`,
      sentence`Take ${symbol}: follow the indicative price and volume until 09:25, and compare with the previous close.`,
      sentence`Before 09:20 orders may be withdrawn: a volume that falls there says nothing about demand.`,
    ],
  },
  {
    name: 'anomalies',
    title: sentence`Abnormal movement`,
    description: sentence`Which stocks come near the thresholds of abnormal movement, and is the forecast consistent?`,
    args: [{ name: 'days', description: sentence`Trading days up to the latest.`, usual: '10' }],
    steps: ({ days }) => [
      sentence`Call describe_dataset {"dataset":"anomaly_forecast"} for the rules and the two kinds of row.`,
      sentence`Call check {"check":"anomaly","days":${days}}: what must hold inside and between candidates.`,
      sentence`Call query of anomaly_forecast for the latest day; name the stocks nearest to a threshold and the change that would reach it.`,
      sentence`A forecast is of the day after the last completed one: say of which day each number is.`,
    ],
  },
]

/** The words of a prompt. @throws ParamsError for a name or an argument that there is not */
export function promptText(name: string, given: Readonly<Record<string, string>>, say: Say): string {
  const prompt = researchPrompts.find((one) => one.name === name)
  const known = researchPrompts.map((one) => one.name)
  if (!prompt) throw unknownName('name', name, known, sentence`prompt`)
  const names = prompt.args.map((arg) => arg.name)
  for (const key of Object.keys(given)) if (!names.includes(key)) throw unknownName(key, key, names, 'argument', name)
  for (const [key, value] of Object.entries(given))
    if (value.length > 60) throw new ParamsError(key, sentence`${key} is longer than 60 characters.`)
  const values = Object.fromEntries(prompt.args.map((arg) => [arg.name, given[arg.name] ?? String(arg.usual)]))
  const steps = prompt.steps(values).map((step, at) => `${at + 1}. ${say(step)}`)
  return [
    say(prompt.description),
    ...steps,
    say(
      sentence`Say of every number whether the rows behind it were complete, and on what proof; null is not known, never zero.`,
    ),
    say(sentence`Names, headlines and answers are ${outsideMark}`),
  ].join('\n')
}
