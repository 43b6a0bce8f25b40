/*
 * Invented short names in the form of listed ones: a root of two characters and a line of business. A name follows from
 * its place alone, so a larger sample keeps those of a smaller one.
 */

const roots =
  '云帆 海岳 青禾 松石 明川 远舟 星野 汀兰 鹭洲 新屿 辰序 南屏 金穗 谷声 玉泉 天穹 平岚 瑞雪 丰年 和光 朝晖 暮云 春渚 秋泓 碧落 丹枫 流萤 飞澜 九畴 川禾 千帆 象罗 启岳 东篱 西岭 中澜 章台 安澜 永穗 嘉岚 云汀 松涛 远岫 星渚 鹤鸣 竹溪 溪石 岩泊'.split(
    ' ',
  )
const lines =
  '科技 股份 药业 电子 能源 材料 机械 食品 环保 软件 汽车 实业 化工 电气 生物 通信 传媒 物流 建设 医疗 光电 新材 智能 精密'.split(
    ' ',
  )
const beforeRoot = ['', '新', '中', '华', '东', '南', '西', '北']
const hongKongForms = ['控股', '国际', '集团-W', '环球', '中国', '生物-B']

const at = (list: readonly string[], place: number): string => list[place % list.length] as string
const roundOf = (place: number): number => Math.floor(place / roots.length)

/** Short name of a stock: `云帆科技`; no two of 9216 are equal. */
export function stockName(place: number): string {
  const round = roundOf(place)
  return `${at(beforeRoot, Math.floor(round / lines.length))}${at(roots, place)}${at(lines, place * 5 + round)}`
}

/** What a risk mark is put before: the root, as in `*ST云帆`, while no other stock shares it. */
export function markedName(place: number): string {
  return roundOf(place) === 0 ? at(roots, place) : stockName(place)
}

/** Short name of a convertible bond: `云帆转债`, and `云帆转2` for the second of its issuer. */
export function bondName(place: number): string {
  const round = roundOf(place)
  return `${at(roots, place)}${round === 0 ? '转债' : `转${round + 1}`}`
}

/** Short name of a fund: `云帆ETF`. */
export function fundName(place: number): string {
  const round = roundOf(place)
  return `${at(roots, place)}ETF${round === 0 ? '' : round + 1}`
}

/** Short name of a security of Hong Kong: `云帆控股`. */
export function hongKongName(place: number): string {
  return `${at(roots, place)}${at(hongKongForms, place)}`
}
