import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { badge, type Html, type HtmlPart, html } from './html.js'

/** Whether something speaks for a result, and what is said of it; nothing where there is nothing to say. */
export type Said = readonly [state: 'holds' | 'fails' | 'unknown', said: HtmlPart] | undefined

/** Texts under each other; nothing of none. */
export function saidLines(texts: readonly string[]): Said {
  const lines = texts.map((text, at) => html`${at > 0 && html`<br>`}<bdi>${text}</bdi>`)
  return lines.length === 0 ? undefined : ['unknown', lines]
}

/** A box of what is to be minded: by line what it is about, and what is said of it. */
export function honestyBox(say: Say, said: readonly (readonly [id: string, what: string, said: Said])[]): Html {
  const words = { holds: say('in order'), fails: say('mind this'), unknown: say(fact('HONESTY_BOX', 'note')) }
  const lines = said.map(
    ([id, what, own]) =>
      own &&
      html`<li data-item="${id}"><span class="what">${what}</span><p>${badge(own[0], words[own[0]])} ${own[1]}</p></li>
`,
  )
  return html`<section class="honesty" aria-labelledby="honesty-heading">
<h2 id="honesty-heading">${say('Before you believe it')}</h2>
<ul>
${lines}</ul>
</section>
`
}
