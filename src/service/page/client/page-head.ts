import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { button, make, withCode } from './dom.js'
import { type Theme, themes } from './page-address.js'
import { datasetGroups, datasetText, type Language, languages, type PageContext } from './page-text.js'

const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

/** Name of the page, and the switches for language and theme. */
export function pageHead(
  { say, language }: PageContext,
  theme: Theme,
  speak: (language: Language) => void,
  dress: (theme: Theme) => void,
): HTMLElement {
  const spoken = languages.map((one) =>
    button(languageNames[one], () => speak(one), {
      id: `language-${one}`,
      lang: one === 'zh' ? 'zh-CN' : 'en',
      'aria-pressed': String(one === language),
    }),
  )
  const dressed = themes.map((one) =>
    button(say(one), () => dress(one), { id: `theme-${one}`, 'aria-pressed': String(one === theme) }),
  )
  return make(
    'header',
    { class: 'top' },
    make(
      'div',
      { class: 'title' },
      make('h1', {}, 'Quotebook ', make('span', {}, say('page'))),
      make('p', {}, say('tagline')),
    ),
    make('div', { class: 'switch', role: 'group', 'aria-label': say('language') }, ...spoken),
    make('div', { class: 'switch', role: 'group', 'aria-label': say('theme') }, ...dressed),
  )
}

/** The operations by subject: links where there is room for them, else one list to choose from. */
export function operationList(
  { say, language }: PageContext,
  chosen: DatasetName,
  address: (name: DatasetName) => string,
  choose: (name: DatasetName) => void,
): HTMLElement {
  const titled = (name: DatasetName): string => datasetText(datasetOf(name), language).title
  const lists = datasetGroups.flatMap((group) => [
    make('h2', { id: `group-${group.en.replaceAll(' ', '-')}` }, group[language]),
    make(
      'ul',
      { 'aria-labelledby': `group-${group.en.replaceAll(' ', '-')}` },
      ...group.names.map((name) =>
        make(
          'li',
          {},
          make(
            'a',
            { href: address(name), 'aria-current': name === chosen ? 'page' : undefined },
            make('span', {}, titled(name)),
            make('code', {}, name),
          ),
        ),
      ),
    ),
  ])
  const options = datasetGroups.map((group) =>
    make(
      'optgroup',
      { label: group[language] },
      ...group.names.map((name) =>
        make('option', { value: name, selected: name === chosen }, `${name} · ${titled(name)}`),
      ),
    ),
  )
  const select = make('select', { id: 'operation' }, ...options)
  select.addEventListener('change', () => choose(select.value as DatasetName))
  return make(
    'nav',
    { 'aria-label': say('operations') },
    make('div', { class: 'many' }, ...lists),
    make('div', { class: 'few' }, make('label', { for: 'operation' }, say('operation')), select),
  )
}

/** What the chosen operation is: its title in both languages, its purpose, its rules. */
export function operationHead({ say, language }: PageContext, name: DatasetName): HTMLElement {
  const dataset = datasetOf(name)
  const { title, about, rules } = datasetText(dataset, language)
  const other: Language = language === 'en' ? 'zh' : 'en'
  return make(
    'div',
    { class: 'about' },
    make('p', { class: 'kicker' }, make('code', {}, name)),
    make(
      'h2',
      {},
      title,
      ' ',
      make('small', { lang: other === 'zh' ? 'zh-CN' : 'en' }, datasetText(dataset, other).title),
    ),
    make('p', {}, ...withCode(about)),
    rules.length > 0 &&
      make(
        'details',
        {},
        make('summary', {}, say('rules')),
        make('ul', {}, ...rules.map((rule) => make('li', {}, ...withCode(rule)))),
      ),
  )
}
