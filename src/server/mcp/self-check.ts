import type { Language } from '../../contract/language.js'
import type { Say } from '../../contract/say.js'
import { sentence } from '../../contract/sentence.js'
import { listedResources, readResource } from './protocol-server.js'
import { promptText, researchPrompts } from './research-prompts.js'
import type { ToolServer } from './tool-server.js'

/** What became of one thing that was tried. */
export interface TriedTool {
  readonly name: string
  readonly ok: boolean
  /** Its size, or what was wrong. */
  readonly said: string
}

/** Calls each tool with its example; reads the first link, a page and a prompt too. */
export async function checkTools(own: ToolServer, language: Language, say: Say): Promise<readonly TriedTool[]> {
  const signal = new AbortController().signal
  const calling = { caller: '', signal, hasTicks: true, language, onStep: () => undefined }
  const tried: TriedTool[] = []
  const attempt = async (name: string, work: () => Promise<string>): Promise<void> => {
    const done = await work().then(
      (said) => ({ ok: true, said }),
      (error: unknown) => ({ ok: false, said: Object.values(own.refusal(error, say)).join(': ') }),
    )
    tried.push({ name, ...done })
  }
  let link = ''
  for (const { name, example } of own.tools) {
    if (!example) continue
    await attempt(name, async () => {
      const { text, links } = await own.call(name, example, calling, say)
      link ||= links[0]?.uri ?? ''
      return say(sentence`${text.split('\n', 1)[0]?.slice(0, 72)} (${text.length} bytes)`)
    })
  }
  const read = async (uri: string): Promise<string> =>
    say(sentence`${JSON.stringify(await readResource(own, uri, calling)).length} bytes`)
  await attempt('resource', () => read(listedResources(own, language, say).at(-1)?.uri ?? ''))
  await attempt('resource link', () => read(link))
  const [{ name = '' } = {}] = researchPrompts
  await attempt('prompt', async () =>
    say(sentence`${researchPrompts.length} prompts, ${promptText(name, {}, say).length} bytes`),
  )
  return tried
}
