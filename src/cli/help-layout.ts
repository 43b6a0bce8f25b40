import type { HelpConfiguration } from 'commander'
import { textWidth } from '../frame/show/text-width.js'
import { language } from './chosen-language.js'
import { foldText } from './fold-text.js'

/** Words of commander. */
const own: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Commands:': '命令：',
  choices: '可选值：',
  default: '默认：',
  env: '环境变量：',
}

function term(text: string): string {
  return text.replace('[options]', '[选项]').replace('[command]', '[命令]')
}

/** What commander adds in parentheses: `(choices: "15m", "30m", default: "30m")`. */
function description(text: string): string {
  return text.replace(/ ?\(((?:choices|default|env): .*)\)$/, (_, all: string) => {
    const said = all.replace(/(, )?\b(choices|default|env): /g, (_, comma = '', word: string) => {
      return `${comma === '' ? '' : '；'}${own[word]}`
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
        styleTitle: (title) => own[title] ?? title,
        styleUsage: term,
        styleSubcommandTerm: term,
        styleOptionDescription: description,
        styleArgumentDescription: description,
      }
