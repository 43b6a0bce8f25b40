import { type DatasetName, datasetOf } from '../../../../contract/catalogue.js'
import { datasetText } from '../../../../contract/dataset-text.js'
import { type Language, languages } from '../../../../contract/language.js'
import { sayIn } from '../../../../contract/say.js'
import { formatHash, type PageAddress, themes } from './page-address.js'
import { datasetGroups, type PageContext } from './page-text.js'
import { htm, type View, withCode } from './parts.js'

const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }
/** As the attribute `lang` takes them. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

type Navigate = (change: Partial<PageAddress>) => void

/** Name of the page, and the switches for language and theme. */
export function pageHead({ t, language }: PageContext, theme: PageAddress['theme'], navigate: Navigate): View {
  const languageButtons = languages.map(
    (one) => htm`<button type="button" id=${`language-${one}`} lang=${languageTags[one]}
      aria-pressed=${one === language} onclick=${() => navigate({ language: one })}>${languageNames[one]}</button>`,
  )
  const themeButtons = themes.map(
    (one) => htm`<button type="button" id=${`theme-${one}`} aria-pressed=${one === theme}
      onclick=${() => navigate({ theme: one })}>${t(one)}</button>`,
  )
  return htm`<header class="top">
    <div class="title"><h1>Quotebook <span>${t('page')}</span></h1><p>${t('tagline')}</p>
      <a href=${`./?lang=${language}`}>${t('desk')}</a>
      <a href=${language === 'en' ? 'docs/' : 'docs/zh/'}>${t('documentation')}</a></div>
    <div class="switch" role="group" aria-label=${t('language')}>${languageButtons}</div>
    <div class="switch" role="group" aria-label=${t('theme')}>${themeButtons}</div>
  </header>`
}

/** The operations by subject: links where there is room for them, else one list to choose from. */
export function operationList({ t, language }: PageContext, address: PageAddress, navigate: Navigate): View {
  const titleOf = (name: DatasetName): string => datasetText(datasetOf(name), language).title
  const titleIn = sayIn(language)
  const lists = datasetGroups().map((group) => {
    const id = `group-${group.title.replaceAll(' ', '-')}`
    const items = group.names.map(
      (name) => htm`<li><a href=${formatHash({ ...address, name })}
        aria-current=${name === address.name ? 'page' : undefined}><span>${titleOf(name)}</span><code>${name}</code></a></li>`,
    )
    return [htm`<h2 id=${id}>${titleIn(group.title)}</h2>`, htm`<ul aria-labelledby=${id}>${items}</ul>`]
  })
  const options = datasetGroups().map((group) => {
    const items = group.names.map((name) => htm`<option value=${name}>${name} · ${titleOf(name)}</option>`)
    return htm`<optgroup label=${titleIn(group.title)}>${items}</optgroup>`
  })
  const choose = (event: { readonly currentTarget: HTMLSelectElement }): void =>
    navigate({ name: event.currentTarget.value as DatasetName })
  return htm`<nav aria-label=${t('operations')}>
    <div class="many">${lists}</div>
    <div class="few"><label for="operation">${t('operation')}</label>
      <select id="operation" value=${address.name} onchange=${choose}>${options}</select></div>
  </nav>`
}

/** What the chosen operation is: its title in both languages, its purpose, its rules. */
export function operationHead({ t, language }: PageContext, name: DatasetName): View {
  const dataset = datasetOf(name)
  const { title, about, rules } = datasetText(dataset, language)
  const other: Language = language === 'en' ? 'zh' : 'en'
  const items = rules.map((rule) => htm`<li>${withCode(rule)}</li>`)
  return htm`<div class="about">
    <p class="kicker"><code>${name}</code></p>
    <h2>${title} <small lang=${languageTags[other]}>${datasetText(dataset, other).title}</small></h2>
    <p>${withCode(about)}</p>
    ${rules.length > 0 && htm`<details><summary>${t('rules')}</summary><ul>${items}</ul></details>`}
  </div>`
}
