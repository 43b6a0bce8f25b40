import { language } from './chosen-language.js'

/** What messages of commander and of other folders are made of, in the order in which it is looked for; and the same in Chinese. */
// biome-ignore format: a table, one part a line
const parts: readonly (readonly [english: RegExp, chinese: string])[] = [
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
  [/no rows on (?:the trading day|(\d+) trading days:) (.*?)(, which may have none or be missing)?$/, '这些交易日没有数据：$2'],
  [/ does not exist/, ' 不存在'],
  [/ is not an archive: it has no (\S+)/, ' 不是归档：没有 $1'],
  [/ already holds an archive; give a new or empty directory/, ' 中已有归档；请给出新目录或空目录'],
  [/ is not empty and not an archive; give an empty or new directory/, ' 不是空目录，也不是归档；请给出空目录或新目录'],
  [/: can not be read: /, '：无法读取：'],

  [/the reply has no total/, '应答中没有 total'],
  [/cut at the cap of (\d+) rows a call/, '达到每次 $1 行的上限而被截断'],
  [/the first (\d+) of (\d+) rows/, '共 $2 行，这是前 $1 行'],
  [/rows (\d+) to (\d+) of (\d+)/, '共 $3 行，这是第 $1 至 $2 行'],
  [/at most (\d+) of each source/, '每个来源最多 $1 条'],
  [/the newest (\d+)( of each source)?(, as many as come without a limit)?; there may be older ones/, '只有最新的 $1 条；可能还有更早的'],
  [/the list of (\d+)$/, '$1 的榜单'],
  [/the pools of (.*)$/, '$1 的股票池'],
  [/the report has no section '(.*?)'/, "报告没有 '$1' 这一部分"],
  [/the archive holds nothing of (\w+)/, '归档中没有 $1 的数据'],
  [/the archive has no forecast after (\d+)/, '归档中没有 $1 之后的预测'],
  [/rows of (\d+) may be missing: only what was asked for is kept/, '$1 的行可能有缺失：只保存了查询过的部分'],
  [/the trading calendar knows (\d+) to (\d+) only/, '交易日历只覆盖 $1 至 $2 年'],
]

/** A message, in Chinese as far as it is one of the usual; as it is in English, and where it is none. */
export function inLanguage(message: string): string {
  if (language === 'en') return message
  return parts.reduce((text, [english, chinese]) => text.replace(english, chinese), message)
}
