import type { HelpConfiguration } from 'commander'
import { textWidth } from '../frame/show/cell-text.js'
import { help, language } from './chosen-language.js'
import { foldText } from './fold-text.js'

const headings = ['Usage:', 'Arguments:', 'Options:', 'Commands:'] as const

function heading(title: string): string {
  const known = headings.find((one) => one === title)
  return known ? help(known) : title
}

function term(text: string): string {
  return text.replace('[options]', help('[options]')).replace('[command]', help('[command]'))
}

/** What commander adds in parentheses: `(choices: "15m", "30m", default: "30m")`. */
function description(text: string): string {
  return text.replace(/ ?\(((?:choices|default|env): .*)\)$/, (_, all: string) => {
    const words = /(, )?\b(choices|default|env): /g
    const said = all.replace(words, (_, comma: string | undefined, word: 'choices' | 'default' | 'env') => {
      return `${comma === undefined ? '' : '；'}${help(word)}`
    })
    return `（${said}）`
  })
}

/** How help is laid out in Chinese: commander's own words, and the width of characters. In English as commander does it. */
export const helpLayout: HelpConfiguration =
  language === 'en'
    ? {}
    : {
        displayWidth: textWidth,
        boxWrap: (text, width) =>
          text
            .split('\n')
            .flatMap((line) => foldText(line, width))
            .join('\n'),
        styleTitle: heading,
        styleUsage: term,
        styleSubcommandTerm: term,
        styleOptionDescription: description,
        styleArgumentDescription: description,
      }
