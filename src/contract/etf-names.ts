/**
 * Names of much traded ETFs by their code, as the two exchanges list them with the manager's name behind. No dataset of the vendor has
 * them. Names change: what a source's own rows say comes before these.
 */
// biome-ignore format: a table, one fund a line
export const etfNames: Readonly<Record<string, string>> = {
  '510050': '上证50ETF华夏',
  '510300': '沪深300ETF华泰柏瑞',
  '510500': '中证500ETF南方',
  '510880': '红利ETF华泰柏瑞',
  '510900': '恒生中国企业ETF易方达',
  '512000': '券商ETF华宝',
  '512100': '中证1000ETF南方',
  '512170': '医疗ETF华宝',
  '512480': '半导体ETF国联安',
  '512660': '军工ETF国泰',
  '512690': '酒ETF鹏华',
  '512800': '银行ETF华宝',
  '512880': '证券ETF国泰',
  '513050': '中概互联网ETF易方达',
  '513100': '纳指ETF国泰',
  '513500': '标普500ETF博时',
  '515790': '光伏ETF华泰柏瑞',
  '518880': '黄金ETF华安',
  '588000': '科创50ETF华夏',
  '588080': '科创50ETF易方达',
  '159915': '创业板ETF易方达',
  '159919': '沪深300ETF嘉实',
  '159920': '恒生ETF华夏',
  '159928': '消费ETF汇添富',
  '159941': '纳指ETF广发',
  '159949': '创业板50ETF华安',
  '159995': '芯片ETF华夏',
}
