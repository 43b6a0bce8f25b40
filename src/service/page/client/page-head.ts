import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { datasetText, type Language, languages } from '../../../contract/language.js'
import { button, make, withCode } from './dom.js'
import { formatHash, type PageAddress, themes } from './page-address.js'
import { datasetGroups, type PageContext } from './page-text.js'

const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }
/** As the attribute `lang` takes them. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

type Navigate = (change: Partial<PageAddress>) => void

/** Name of the page, and the switches for language and theme. */
export function pageHead({ t, language }: PageContext, theme: PageAddress['theme'], navigate: Navigate): HTMLElement {
  const languageButtons = languages.map((one) => {
    const attributes = { id: `language-${one}`, lang: languageTags[one], 'aria-pressed': String(one === language) }
    return button(languageNames[one], () => navigate({ language: one }), attributes)
  })
  const themeButtons = themes.map((one) =>
    button(t(one), () => navigate({ theme: one }), { id: `theme-${one}`, 'aria-pressed': String(one === theme) }),
  )
  return make(
    'header.top',
    make('div.title', make('h1', 'Quotebook ', make('span', t('page'))), make('p', t('tagline'))),
    make('div.switch', { role: 'group', 'aria-label': t('language') }, languageButtons),
    make('div.switch', { role: 'group', 'aria-label': t('theme') }, themeButtons),
  )
}

/** The operations by subject: links where there is room for them, else one list to choose from. */
export function operationList({ t, language }: PageContext, address: PageAddress, navigate: Navigate): HTMLElement {
  const titleOf = (name: DatasetName): string => datasetText(datasetOf(name), language).title
  const lists = datasetGroups.map((group) => {
    const id = `group-${group.en.replaceAll(' ', '-')}`
    const items = group.names.map((name) => {
      const attributes = { href: formatHash({ ...address, name }), 'aria-current': name === address.name && 'page' }
      return make('li', make('a', attributes, make('span', titleOf(name)), make('code', name)))
    })
    return [make('h2', { id }, group[language]), make('ul', { 'aria-labelledby': id }, items)]
  })
  const options = datasetGroups.map((group) => {
    const items = group.names.map((name) =>
      make('option', { value: name, selected: name === address.name }, `${name} · ${titleOf(name)}`),
    )
    return make('optgroup', { label: group[language] }, items)
  })
  const select = make('select#operation', { onchange: () => navigate({ name: select.value as DatasetName }) }, options)
  const few = make('div.few', make('label', { for: 'operation' }, t('operation')), select)
  return make('nav', { 'aria-label': t('operations') }, make('div.many', lists), few)
}

/** What the chosen operation is: its title in both languages, its purpose, its rules. */
export function operationHead({ t, language }: PageContext, name: DatasetName): HTMLElement {
  const dataset = datasetOf(name)
  const { title, about, rules } = datasetText(dataset, language)
  const other: Language = language === 'en' ? 'zh' : 'en'
  const otherTitle = make('small', { lang: languageTags[other] }, datasetText(dataset, other).title)
  const items = rules.map((rule) => make('li', withCode(rule)))
  return make(
    'div.about',
    make('p.kicker', make('code', name)),
    make('h2', title, ' ', otherTitle),
    make('p', withCode(about)),
    rules.length > 0 && make('details', make('summary', t('rules')), make('ul', items)),
  )
}
