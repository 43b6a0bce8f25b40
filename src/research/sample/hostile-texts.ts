/*
 * Text as the world sends it now and then: markup, formulas, bare quotes and line ends, characters outside the basic
 * plane. Whoever reads a sample with it must bring all of it through unharmed, and none of it may run.
 */

export const hostileTitles = [
  '关于变更"主营业务"表述的公告',
  '关于使用闲置资金购买理财产品的公告, 金额 1,000 万元',
  '=1+1 关于公式样式标题的说明',
  '<b>关于标题中含有标记的说明</b>',
  '+8610 联系电话变更公告',
  '@关于投资者关系活动的记录',
] as const

export const hostileSummaries = [
  '第一行\n第二行, 含换行与逗号\r\n"引号"也在其中',
  '<p>摘要来自网页: <script>alert("x")</script> & 实体 &amp;</p>',
  '=HYPERLINK("https://example.invalid","点击")',
  "含单引号 ' 与反斜杠 \\ 的摘要",
  '-2+3 开头像算式',
] as const

export const hostileQuestions = [
  '董秘您好, 公司是否涉及"低空经济"业务?',
  '为什么不回购股份?\n请正面回答。',
  '<img src=x onerror=alert(1)> 请问产能利用率?',
  '=SUM(A1:A2) 请问这是多少?',
  '公司海外收入占比多少 📈?',
] as const

export const hostileAnswers = [
  '=cmd|"/c calc"!A0 您好, 具体请关注定期报告。',
  '感谢您的建议, 我们会转达给管理层。\n祝投资顺利!',
  '您好, "回购"事项请以公告为准; 不存在<应披露未披露>的信息。',
] as const

export const hostileHeadlines = [
  '"示例概念"午后走强, 多股跟涨',
  '<script>alert(1)</script>含脚本的标题',
  '机构: 关注业绩确定性 🚀📈',
  "A&B 'quoted' <em>标题</em>",
  '=cmd|"/c calc"!A0 公式样式的标题',
] as const

export const hostileNewsSummaries = [
  '多空因素交织, 市场观望情绪较浓。\n后续关注政策落地。',
  '<p onclick="steal()">摘要里的标记</p>',
  '含有, 逗号与 "引号" 的摘要',
] as const

export const hostileDescription = '描述: <b>加粗</b>, 第一行\n第二行'

export const hostileIntroduction =
  '<h3>题材介绍</h3><p>示例文字, 含"引号"与 &amp; 实体。</p><script>alert("题材")</script><img src="x" onerror="alert(1)">'
