import { dateOf, dayNumber } from '../contract/date.js'
import { divideHalfUp } from './exact-quotient.js'
import { drawsFrom, fork, isChosen } from './random.js'
import { dashed } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { madeAtOnce, sheetOf, type WholeRow } from './sample-sheet.js'
import { nameOn } from './sample-stock.js'

type Row = WholeRow<'theme_lib_detail_kp'>

const names = [
  '低空示例',
  '机器人示例',
  '固态电池示例',
  '创新药示例',
  '光模块示例',
  '消费电子示例',
  '稀土示例',
  '旧题材示例',
]
/** A theme that is no longer synchronised: kept, never returned. */
const inactive = 7
/** A theme of which next to nothing is known. */
const bare = 6

const introduction =
  '<h3>题材介绍</h3><p>示例文字, 含"引号"与 &amp; 实体。</p><script>alert("题材")</script><img src="x" onerror="alert(1)">'

function stocksOf(sample: Sample, root: number): { symbol: string; name: string }[] {
  return sample.stocks
    .filter((stock) => isChosen(fork(root, stock.code), 5))
    .map((stock) => ({ symbol: stock.code, name: nameOn(stock, sample.latest) }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
}

/** Refreshed at half past midnight after the latest day; the inactive one two weeks before. */
function syncedOn(sample: Sample, place: number): string {
  return dateOf(dayNumber(sample.latest.date) + (place === inactive ? -14 : 1))
}

function rowOf(sample: Sample, place: number): Row {
  const root = fork(fork(sample.seed, 'detail'), place)
  const { int } = drawsFrom(root)
  const theme_id = String(1001 + place)
  const name = names[place] ?? null
  const known = place !== bare
  const list = stocksOf(sample, root)
  const half = divideHalfUp(list.length, 2)
  const date = syncedOn(sample, place)
  const level = (id: string, part: typeof list) => ({ ID: `${theme_id}${id}`, Name: `${name}·${id}`, Stocks: part })
  const table = {
    Level1: [level('01', list)],
    Level2: [level('0101', list.slice(0, half)), level('0102', list.slice(half))],
  }
  return {
    theme_id,
    name,
    brief_intro: known ? `${name}的简短介绍, 仅为示例` : null,
    class_layer: known ? '2' : null,
    desc: known ? '描述: <b>加粗</b>, 第一行\n第二行' : null,
    plate_switch: known ? '1' : null,
    stk_switch: known ? '1' : null,
    introduction: known ? introduction : null,
    update_time: known ? dayNumber(date) * 86_400 - int(30_000, 60_000) : null,
    table: known ? table : null,
    stocks: known ? list.map(({ symbol }) => ({ StockID: symbol, IsZz: '1', Reason: '示例理由' })) : null,
    stock_list: known ? list : null,
    zt: known ? (place % 2 === 0 ? { count: 1, stocks: list.slice(0, 1) } : []) : null,
    power: known ? int(100, 9999) / 10 : null,
    subscribe: known ? int(0, 5000) : null,
    is_good: known ? int(0, 1) : null,
    is_new: known ? int(0, 1) : null,
    com_num: known ? int(0, 900) : null,
    good_num: known ? int(0, 9000) : null,
    is_active: place !== inactive,
    synced_at: `${dashed(date)}T00:30:07+08:00`,
    updated_at: `${dashed(date)} 00:30:07`,
    raw_payload: known
      ? { code: 0, data: { ID: theme_id, Name: name, Table: table, Introduction: introduction } }
      : null,
  }
}

/** Eight themes, 1001 to 1008: one of nulls, one no longer active, all with markup that must not run. */
export const themeDetailSheet = madeAtOnce(
  sheetOf(
    'theme_lib_detail_kp',
    (sample) => [sample.latest],
    (sample) => names.map((_, place) => rowOf(sample, place)),
  ),
)
