import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { button, make, withCode } from './dom.js'
import { type Theme, themes } from './page-address.js'
import { datasetGroups, datasetText, type Language, languages, type PageContext } from './page-text.js'

const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }
const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

/** Name of the page, and the switches for language and theme. */
export function pageHead(
  { t, language }: PageContext,
  theme: Theme,
  chooseLanguage: (language: Language) => void,
  chooseTheme: (theme: Theme) => void,
): HTMLElement {
  const languageButtons = languages.map((one) => {
    const attributes = { id: `language-${one}`, lang: languageTags[one], 'aria-pressed': String(one === language) }
    return button(languageNames[one], () => chooseLanguage(one), attributes)
  })
  const themeButtons = themes.map((one) =>
    button(t(one), () => chooseTheme(one), { id: `theme-${one}`, 'aria-pressed': String(one === theme) }),
  )
  const title = make('h1', {}, 'Quotebook ', make('span', {}, t('page')))
  return make(
    'header',
    { class: 'top' },
    make('div', { class: 'title' }, title, make('p', {}, t('tagline'))),
    make('div', { class: 'switch', role: 'group', 'aria-label': t('language') }, ...languageButtons),
    make('div', { class: 'switch', role: 'group', 'aria-label': t('theme') }, ...themeButtons),
  )
}

/** The operations by subject: links where there is room for them, else one list to choose from. */
export function operationList(
  { t, language }: PageContext,
  chosen: DatasetName,
  addressOf: (name: DatasetName) => string,
  choose: (name: DatasetName) => void,
): HTMLElement {
  const titleOf = (name: DatasetName): string => datasetText(datasetOf(name), language).title
  const lists = datasetGroups.flatMap((group) => {
    const id = `group-${group.en.replaceAll(' ', '-')}`
    const items = group.names.map((name) => {
      const attributes = { href: addressOf(name), 'aria-current': name === chosen ? 'page' : undefined }
      return make('li', {}, make('a', attributes, make('span', {}, titleOf(name)), make('code', {}, name)))
    })
    return [make('h2', { id }, group[language]), make('ul', { 'aria-labelledby': id }, ...items)]
  })
  const options = datasetGroups.map((group) => {
    const items = group.names.map((name) =>
      make('option', { value: name, selected: name === chosen }, `${name} · ${titleOf(name)}`),
    )
    return make('optgroup', { label: group[language] }, ...items)
  })
  const select = make('select', { id: 'operation' }, ...options)
  select.addEventListener('change', () => choose(select.value as DatasetName))
  return make(
    'nav',
    { 'aria-label': t('operations') },
    make('div', { class: 'many' }, ...lists),
    make('div', { class: 'few' }, make('label', { for: 'operation' }, t('operation')), select),
  )
}

/** What the chosen operation is: its title in both languages, its purpose, its rules. */
export function operationHead({ t, language }: PageContext, name: DatasetName): HTMLElement {
  const dataset = datasetOf(name)
  const { title, about, rules } = datasetText(dataset, language)
  const other: Language = language === 'en' ? 'zh' : 'en'
  const otherTitle = make('small', { lang: languageTags[other] }, datasetText(dataset, other).title)
  const items = rules.map((rule) => make('li', {}, ...withCode(rule)))
  return make(
    'div',
    { class: 'about' },
    make('p', { class: 'kicker' }, make('code', {}, name)),
    make('h2', {}, title, ' ', otherTitle),
    make('p', {}, ...withCode(about)),
    rules.length > 0 && make('details', {}, make('summary', {}, t('rules')), make('ul', {}, ...items)),
  )
}
