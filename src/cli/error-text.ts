import { chineseNotes, inChinese, type WordPairs } from '../contract/chinese-notes.js'
import { language } from './chosen-language.js'

/** What messages of commander and of other folders are made of, in the order in which it is looked for; and the same in Chinese. */
// biome-ignore format: a table, one part a line
const parts: WordPairs = [
  [/^error: /, '错误：'],
  [/unknown command '(.*?)'/, "未知命令 '$1'"],
  [/unknown option '(.*?)'/, "未知选项 '$1'"],
  [/missing required argument '(.*?)'/, "缺少参数 '$1'"],
  [/required option '(.*?)' not specified/, "必须给出选项 '$1'"],
  [/option '(.*?)' argument missing/, "选项 '$1' 缺少取值"],
  [/option '(.*?)' argument '(.*?)' is invalid\. ?/s, "选项 '$1' 的取值 '$2' 无效。"],
  [/option '(.*?)' value '(.*?)' from env '(.*?)' is invalid\. ?/s, "选项 '$1' 由环境变量 $3 给出的取值 '$2' 无效。"],
  [/command-argument value '(.*?)' is invalid for argument '(.*?)'\. ?/s, "参数 '$2' 的取值 '$1' 无效。"],
  [/too many arguments(?: for '.*?')?\. Expected (\d+) arguments? but got (\d+)\./, '参数过多：应有 $1 个，给了 $2 个。'],
  [/Allowed choices are (.*?)\.$/m, '可选值：$1。'],
  [/\(Did you mean (?:one of )?(.*?)\?\)/, '（是否指 $1？）'],

  [/--source: '(.*?)' has no name before it, the others have/, "--source：'$1' 前没有名称，而其他地址有"],
  [/^(.*): tslab, which runs notebooks, is not installed: run '(.*?)' in a folder that '(.*?)' made, and work from there/, "$1：没有安装运行笔记本的 tslab：请在 '$3' 建立的目录中运行 '$2'，并在该目录中操作"],
  [/ is not empty: it has (.*); give a new or empty folder$/, ' 不是空目录：其中有 $1；请给出新目录或空目录'],
  [/ is not a folder$/, ' 不是目录'],
  [/npm can not pack quotebook: /, 'npm 无法打包 quotebook：'],
  [/: no such file$/, '：没有这个文件'],
  [/: not a notebook: not JSON$/, '：不是笔记本：不是 JSON'],
  [/: not a notebook of format 4$/, '：不是格式 4 的笔记本'],

  [/ ?Did you mean '(.*?)'\?/, "是否指 '$1'？"],
  [/ ?It takes: (.*)\.$/, '可用的有：$1。'],
  [/unknown dataset '(.*?)'\./, "未知数据集 '$1'。"],
  [/unknown (param|field|column) of (\S+) '(.*?)'\./, "$2 中没有 '$3'。"],
  [/unknown value of (\S+) '(.*?)'\./, "$1 不能取 '$2'。"],
  [/(\S+) must be a string: give (.*), a number loses leading zeros\./, '$1 必须是文本：请写成 $2，数字会丢失前导零。'],
  [/(\S+) must be a string, not (.*)\.$/, '$1 必须是文本，不能是 $2。'],
  [/(\S+) must be a whole number, not (.*)\.$/, '$1 必须是整数，不能是 $2。'],
  [/(\S+) must be a whole number from (\S+) to (\S+), not (.*)$/, '$1 必须是 $2 至 $3 的整数，不能是 $4'],
  [/(\S+) must be from (\S+) to (\S+), not (.*)\.$/, '$1 必须在 $2 至 $3 之间，不能是 $4。'],
  [/(\S+) must be (\S+) or more, not (.*)\.$/, '$1 不能小于 $2，给出的是 $3。'],
  [/(\S+) must be a date YYYYMMDD, not (.*?)\./, '$1 必须是 YYYYMMDD 格式的日期，不能是 $2。'],
  [/ Write '(.*?)'\.$/, "请写成 '$1'。"],
  [/(\S+) must be a minute HHmm such as '1000', not (.*)\.$/, "$1 必须是 HHmm 格式的分钟，例如 '1000'，不能是 $2。"],
  [/(\S+) must be YYYYMMDD, YYYY-MM-DD or an ISO 8601 time, not (.*)\.$/, '$1 必须是 YYYYMMDD、YYYY-MM-DD 或 ISO 8601 时间，不能是 $2。'],
  [/(\S+) is empty; leave it out to set no condition\./, '$1 为空；不设条件时请不要给出。'],
  [/fields has an empty name; separate names by one comma\./, 'fields 中有空名称；名称之间用一个逗号分隔。'],
  [/(\S+) can not be combined with (\S+); leave one of them out\./, '$1 不能与 $2 同时使用；请去掉其中之一。'],
  [/(\S+) (\d+) is later than (\S+) (\d+)\./, '$1 $2 晚于 $3 $4。'],
  [/(\S+) (\S+) closes no (\S+) bucket\. Buckets close at (.*)\.$/, '$1 $2 不是 $3 K 线的结束时刻。可用的有：$4。'],
  [/(\S+) needs params: (.*)\.$/, '$1 必须给出查询条件：$2。'],
  [/^(\w+) needs (\w+): .*$/, '$1 必须给出 $2。'],
  [/(\S+) (\S+) is of the Beijing exchange\./, '$1 $2 属于北京证券交易所。'],
  [/(\S+) is not imported: an archive answers it from its own tick files/, '$1 不能导入：归档以自身的集合竞价快照文件应答'],

  [/no connection to (\S+): /, '无法连接 $1：'],
  [/; check the key and its plan/, '；请检查密钥及其版本权限'],
  [/ was silent for (\S+) s /, ' 已有 $1 秒没有响应 '],
  [/ gave no whole answer within (\S+) s/, ' 未能在 $1 秒内给出完整应答'],
  [/ does not exist/, ' 不存在'],
  [/ is not an archive: it has no (\S+)/, ' 不是归档：没有 $1'],
  [/ already holds an archive; give a new or empty directory/, ' 中已有归档；请给出新目录或空目录'],
  [/ is not empty and not an archive; give an empty or new directory/, ' 不是空目录，也不是归档；请给出空目录或新目录'],
  [/: can not be read: /, '：无法读取：'],

  [/the report has no section '(.*?)'/, "报告没有 '$1' 这一部分"],

  [/: has no column '(.*?)' to rename; it has (.*)$/, "：没有要改名的列 '$1'；有：$2"],
  [/: lacks (.*) of (\w+); it has (.*)$/, '：缺少 $2 的 $1；有：$3'],
  [/: (\w+) has no column '(.*?)'; it has (.*)$/, "：$1 没有列 '$2'；有：$3"],
  [/: already has the column '(.*?)'; do not set it$/, "：已有列 '$1'；请不要用 --set 给出"],
  [/: does not tell (\S+), which no reply holds: give it with --set (\S+)$/, '：没有说明 $1，而应答中都没有它：请用 --set $2 给出'],
  [/: does not tell its bar period: give it with --set period=15m or period=30m$/, '：没有说明 K 线周期：请用 --set period=15m 或 period=30m 给出'],
  [/: may be a forecast alone: give the day it was computed from with --set computed_on=YYYYMMDD$/, '：可能只是一份预测：请用 --set computed_on=YYYYMMDD 给出计算所依据的日期'],
  [/: holds (\d+) days; give computed_on, or one reply of a day at a time$/, '：含 $1 个交易日；请给出 computed_on，或每次给出一天的应答'],
  [/: holds (\d+) rows, the most a call gives: it may be cut\. Split the query, /, '：有 $1 行，正是一次调用的上限，可能被截断。请拆分查询，'],
  [/: leaves out (.*?)\. Give all pages, /, '：缺少 $1。请给出所有分页，'],
  [/or import it as it is with --partial, and the archive will say that it may not be whole$/, '或用 --partial 原样导入，归档会注明数据可能不完整'],
  [/: row (\d+): trademin (\S+) closes no (\S+) bucket$/, '：第 $1 行：trademin $2 不是 $3 K 线的结束时刻'],
  [/: was kept with a request for (\S+), not (\w+)$/, '：旁边保存的是对 $1 的请求，而不是 $2'],
  [/: is not UTF-8, nor GB18030 \(GBK\) text$/, '：既不是 UTF-8 文本，也不是 GB18030（GBK）文本'],
  [/: is empty$/, '：是空文件'],
  [/: is not JSON: /, '：不是 JSON：'],
  [/: element (\d+) is not a row object$/, '：第 $1 个元素不是一行对象'],
  [/: is an Arrow file; give a saved reply, CSV or Parquet \(query --format parquet writes one\)$/, '：是 Arrow 文件；请给出保存的应答、CSV 或 Parquet（query --format parquet 可写出）'],
  [/: is an Excel file of the old kind \(\.xls\); save it as \.xlsx or CSV$/, '：是旧格式的 Excel 文件（.xls）；请另存为 .xlsx 或 CSV'],
  [/: can not be read as an Excel file: /, '：不能作为 Excel 文件读取：'],
  [/: its first sheet has no row of names$/, '：第一张工作表没有列名行'],
  [/: column (\d+) of its first row has no name$/, '：首行第 $1 列没有名称'],
]

/** A message, in Chinese as far as it is one of the usual; as it is in English, and where it is none. */
export function inLanguage(message: string): string {
  if (language === 'en') return message
  return inChinese(message, [...parts, ...chineseNotes])
}
