import type { IncomingMessage } from 'node:http'
import { sayIn } from '../../../contract/say.js'
import type { Archive } from '../../../data/archive/archive.js'
import type { Desk } from '../../desk/desk.js'
import { languageAsked } from '../http/client-address.js'
import { content, type ServiceAnswer } from '../service-answer.js'
import type { ServiceContext } from '../service-context.js'
import { pageHeaders } from './page-files.js'

/** Whether a path is one of the desk. */
export const isOfDesk = (path: string): boolean => path === '/' || path === '/desk' || path.startsWith('/desk/')

/** The desk of an archive, which is read when it is first asked for. */
const desks = new WeakMap<Archive, Promise<Desk>>()

async function deskOf({ archive, folders }: ServiceContext): Promise<Desk> {
  const { Desk } = await import('../../desk/desk.js')
  return new Desk(archive, folders)
}

/** A page that goes by keys has no place for the desk: a link carries none. */
function closedDesk(request: IncomingMessage): ServiceAnswer {
  const say = sayIn(languageAsked(request))
  const texts = [
    say('The desk is not offered by a service with keys: its pages are links, and a link carries no key.'),
    say(
      'Run quotebook desk on your own machine, over an archive of your own; the test page of this service takes a key.',
    ),
  ]
  const body = `<!doctype html>
<html lang="${say.language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Quotebook</title><link rel="stylesheet" href="/page/style.css"></head>
<body><main><h1>Quotebook</h1>${texts.map((text) => `<p>${text}</p>`).join('')}<p><a href="/try">${say('Test page')}</a> · <a href="/docs">${say('Documentation')}</a></p></main></body></html>
`
  return { ...content(body, 'text/html; charset=utf-8', { ...pageHeaders, vary: 'accept-language' }), status: 403 }
}

/** The answer to a GET of a path of the desk. */
export async function answerDesk(
  context: ServiceContext,
  request: IncomingMessage,
  path: string,
): Promise<ServiceAnswer> {
  if (!context.authenticator.acceptsAnyKey) return closedDesk(request)
  const desk = desks.get(context.archive) ?? deskOf(context)
  desks.set(context.archive, desk)
  return (await desk).answer(request, path)
}
