import { version } from '../../contract/version.js'
import { type Html, html, type Section } from './html.js'
import { type DocumentManifest, htmlDocument } from './html-document.js'
import { sayIn } from './report-language.js'
import type { ReportInput } from './report-tables.js'

/** The page of the report. */
export function page(parts: {
  readonly title: string
  readonly header: Html
  readonly sections: readonly Section[]
  readonly input: ReportInput
}): string {
  const { input, ...own } = parts
  const say = sayIn(input.language)
  const { state } = input.source
  return htmlDocument({
    ...own,
    manifest: manifestOf(input),
    lang: input.language === 'zh' ? 'zh-CN' : 'en',
    contents: say('Contents', '目录'),
    footer: html`Quotebook ${version}${state !== undefined && html`, ${say('state of the source', '数据源状态')} <code>${state.slice(0, 16)}</code>`}. ${say(
      'Nothing here is advice. The page loads nothing, runs nothing, and holds no clock.',
      '本页不构成投资建议；不加载外部资源，不运行脚本，不含生成时间。',
    )}`,
  })
}

/** What the page says of how it was made. */
function manifestOf({ source, language = 'en', sections, title, asked, end, until }: ReportInput): DocumentManifest {
  const { name, about, state, changed } = source
  return {
    kind: 'report',
    options: { days: asked, end, until, language, sections, title },
    source: { name, about, state, changed },
    inputs: source.inputs.map(({ dataset, ...input }) => ({ name: dataset, ...input })),
  }
}
