import { dateOf, dayNumber } from '../../contract/date.js'
import { divideHalfUp } from './exact-quotient.js'
import { hostileDescription, hostileIntroduction } from './hostile-texts.js'
import { drawsFrom, fork, isChosen } from './random.js'
import { dashed } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'
import { nameOn } from './sample-stock.js'

type Row = WholeRow<'theme_lib_detail_kp'>

const names = ['低空经济', '人形机器人', '固态电池', '创新药', '光模块', '消费电子', '稀土永磁', '元宇宙']
/** A theme that is no longer synchronised: kept, never returned. */
const inactive = 7
/** A theme of which next to nothing is known. */
const bare = 6

const reasons = [
  '公司主要产品应用于该领域，已实现批量供货。',
  '公司通过控股子公司布局相关业务。',
  '公司在互动平台表示有相关技术储备。',
  '公司为产业链上游关键材料供应商。',
] as const

function introductionOf(name: string): string {
  return `<h3>题材介绍</h3><p>${name}产业链涵盖上游材料与零部件、中游制造和下游应用，近年来政策支持力度持续加大。</p>`
}

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
  const name = names[place] as string
  const introduction = sample.hostile ? hostileIntroduction : introductionOf(name)
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
    brief_intro: known ? `${name}相关的上市公司，涵盖产业链上下游。` : null,
    class_layer: known ? '2' : null,
    desc: known ? (sample.hostile ? hostileDescription : `聚焦${name}产业化进展与订单落地情况。`) : null,
    plate_switch: known ? '1' : null,
    stk_switch: known ? '1' : null,
    introduction: known ? introduction : null,
    update_time: known ? dayNumber(date) * 86_400 - int(30_000, 60_000) : null,
    table: known ? table : null,
    stocks: known
      ? list.map(({ symbol }, at) => ({ StockID: symbol, IsZz: '1', Reason: reasons[at % reasons.length] }))
      : null,
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

/** Eight themes, 1001 to 1008: one of nulls, one no longer active. Introductions are HTML. */
export const themeDetailSheet = wholeSheetOf(
  'theme_lib_detail_kp',
  (sample) => [sample.latest],
  (sample) => names.map((_, place) => rowOf(sample, place)),
)
