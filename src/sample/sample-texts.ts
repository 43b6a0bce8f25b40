/*
 * Sentences of invented companies, and text as the world sends it: quotes, commas, line ends, markup, formulas,
 * characters outside the basic plane. Whoever reads the sample must bring all of it through unharmed.
 */

export const announcementTitles = [
  '关于召开2026年第一次临时股东会的通知',
  '关于股份回购进展的公告',
  '关于持股5%以上股东减持计划的预披露公告',
  '关于签订日常经营合同的公告',
  '关于股票交易异常波动的公告',
  '关于控股子公司获得高新技术企业证书的公告',
  '关于变更"主营业务"表述的公告',
  '关于使用闲置资金购买理财产品的公告, 金额 1,000 万元',
  '=1+1 关于公式样式标题的说明',
  '<b>关于标题中含有标记的说明</b>',
  '+8610 联系电话变更公告',
  '@关于投资者关系活动的记录',
] as const

export const announcementSummaries = [
  '公司董事会审议通过相关议案, 具体内容以公告原文为准。',
  '第一行\n第二行, 含换行与逗号\r\n"引号"也在其中',
  '<p>摘要来自网页: <script>alert("x")</script> & 实体 &amp;</p>',
  '=HYPERLINK("https://example.invalid","点击")',
  '本次事项不构成关联交易。',
  "含单引号 ' 与反斜杠 \\ 的摘要",
  '-2+3 开头像算式',
] as const

export const questions = [
  '请问公司目前在手订单情况如何?',
  '贵司最新股东人数是多少? 谢谢!',
  '董秘您好, 公司是否涉及"低空经济"业务?',
  '为什么不回购股份?\n请正面回答。',
  '<img src=x onerror=alert(1)> 请问产能利用率?',
  '=SUM(A1:A2) 请问这是多少?',
  '公司海外收入占比多少 📈?',
] as const

export const answers = [
  '您好, 公司生产经营正常, 具体请关注定期报告。感谢您的关注!',
  '尊敬的投资者您好, 截至上月末股东户数为12,345户, 谢谢。',
  '您好, 公司暂未涉及相关业务。',
  '感谢您的建议, 我们会转达给管理层。\n祝投资顺利!',
  '您好, "回购"事项请以公告为准; 不存在<应披露未披露>的信息。',
] as const

export const headlines = [
  '示例指数全天震荡, 成交额较前一日放大',
  '示例行业协会发布半年度运行数据',
  '"示例概念"午后走强, 多股跟涨',
  '<script>alert(1)</script>含脚本的标题',
  '机构: 关注业绩确定性 🚀📈',
  '央行开展逆回购操作, 净投放"示例"亿元',
  '示例公司: 上半年净利润同比增长1.5倍',
  "A&B 'quoted' <em>标题</em>",
  '=cmd|"/c calc"!A0 公式样式的标题',
] as const

export const newsSummaries = [
  '记者获悉, 相关数据于今日公布。',
  '多空因素交织, 市场观望情绪较浓。\n后续关注政策落地。',
  '<p onclick="steal()">摘要里的标记</p>',
  '含有, 逗号与 "引号" 的摘要',
] as const
