import type { Dataset } from '../../../../contract/dataset.js'
import { paramMeaning, valueTitle } from '../../../../contract/dataset-text.js'
import type { Param } from '../../../../contract/param.js'
import { bucketCloses } from '../../../../contract/session.js'
import type { ApiCall } from './api-call.js'
import { conflicts, type FormValues, fieldsOffered, findRefusal, splitList, toParams, toValues } from './form-values.js'
import type { PageContext } from './page-text.js'
import { htm, type View, withCode } from './parts.js'

const placeholders: Partial<Record<Param['kind'], string>> = { date: 'YYYY-MM-DD', minute: 'HHmm', moment: 'YYYYMMDD' }
const listKinds: readonly string[] = ['codes', 'ids', 'texts']

/** What was entered for an operation; kept while the page is open. */
export interface FormState {
  readonly values: FormValues
  /** Undefined: all of them. */
  readonly fields?: readonly string[] | undefined
  /** What the service has refused, and the param or `fields` that it is about, until that changes. */
  readonly refused?: { readonly name: string; readonly message: string } | undefined
}

/** The form of an operation that nothing was entered for. */
export function exampleForm(dataset: Dataset): FormState {
  return { values: toValues(dataset.example) }
}

/** The call that a form says. Of fields that the mode of the form lacks none is asked for. */
export function callOf(dataset: Dataset, { values, fields }: FormState): ApiCall {
  return { dataset, params: toParams(dataset, values), fields: dataset.noFields ? undefined : fields }
}

function paramHint({ t, language }: PageContext, dataset: Dataset, name: string, param: Param): string {
  const { min, max } = param
  const range =
    min === undefined ? '' : max === undefined || max === 9999 ? t('atLeast', { min }) : t('range', { min, max })
  const end = range && (language === 'zh' ? '。' : '.')
  const several = listKinds.includes(param.kind) ? t('severalValues') : ''
  const names = name === 'symbols' && dataset.instruments ? t('namesToo') : ''
  const parts = [paramMeaning(dataset, name, param, language), range + end, names, several]
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

/** What a control of a param is given: its id and state, and what to do with what is entered. */
interface ControlProps {
  readonly id: string
  readonly value: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly enter: (value: string) => void
}

interface InputEvent {
  readonly currentTarget: HTMLInputElement | HTMLSelectElement
}

/** The control of a param: ticks, a choice, or a text; ticked values are separated by commas. */
function control(
  { t, language }: PageContext,
  dataset: Dataset,
  param: Param,
  { id, value, attributes, enter }: ControlProps,
): View {
  const { kind, values = [] } = param
  const oninput = ({ currentTarget }: InputEvent): void => enter(currentTarget.value)
  if (kind === 'choices') {
    const ticked = splitList(value)
    const tick = (one: string): void =>
      enter(values.filter((other) => (other === one) !== ticked.includes(other)).join(','))
    const ticks = values.map((one, i) => {
      const title = valueTitle(dataset, one, language)
      return htm`<label class="tick"><input type="checkbox" id=${`${id}-${i}`} value=${one} ...${attributes}
        checked=${ticked.includes(one)} onchange=${() => tick(one)} /><code>${one}</code>${title && htm`<span>${title}</span>`}</label>`
    })
    return htm`<div class="ticks">${ticks}</div>`
  }
  if (kind === 'choice') {
    const none = param.default === undefined ? t('notSent') : t('byDefault', { value: param.default })
    const options = values.map((one) => {
      const title = valueTitle(dataset, one, language)
      return htm`<option value=${one}>${title === undefined ? one : `${one} · ${title}`}</option>`
    })
    return htm`<select id=${id} value=${value} oninput=${oninput} ...${attributes}>
      <option value="">— ${none}</option>${options}</select>`
  }
  const list = kind === 'minute' ? `${id}-list` : undefined
  const closes = bucketCloses['15m'].map((one) => htm`<option value=${one} />`)
  return htm`<input type="text" id=${id} value=${value} oninput=${oninput} list=${list} placeholder=${placeholders[kind]}
    inputmode=${['date', 'minute', 'integer'].includes(kind) ? 'numeric' : undefined}
    autocomplete="off" autocapitalize="off" spellcheck=${false} ...${attributes} />
    ${list && htm`<datalist id=${list}>${closes}</datalist>`}`
}

/** What of a param is wrong: why it can not be filled in, or what is wrong with its value. */
interface Marks {
  readonly conflict: string | undefined
  readonly error: string | undefined
}

/** What is wrong with a param: it was refused, or is excluded by others that are filled in. */
function marksOf({ t }: PageContext, dataset: Dataset, { values, refused }: FormState, name: string): Marks {
  const others = conflicts(dataset, values).get(name)
  const clash = others && t('notWith', { names: others.join(', ') })
  const isEmpty = (values[name] ?? '').trim() === ''
  const error = refused?.name === name ? refused.message : isEmpty ? undefined : clash
  return { conflict: isEmpty ? clash : undefined, error }
}

/** The control of a param, with its label, its meaning and what is wrong with it. */
function paramField(
  context: PageContext,
  dataset: Dataset,
  form: FormState,
  [name, param]: readonly [string, Param],
  enter: (name: string, value: string) => void,
): View {
  const id = `param-${name}`
  const { conflict, error } = marksOf(context, dataset, form, name)
  const why = error ?? conflict
  const isGroup = param.kind === 'choices'
  const isPaging = 'offset' in dataset.params && (param.role === 'limit' || param.role === 'offset')
  const isHalf = isPaging || (dataset.ranges ?? []).flat().includes(name)
  const look = ['field', isHalf && 'half', conflict && 'closed', error && 'wrong'].filter(Boolean).join(' ')
  const title = htm`<code>${name}</code>${param.required && htm`<span class="needed">${context.t('required')}</span>`}`
  const attributes = {
    'aria-describedby': `${id}-why ${id}-hint`,
    'aria-required': param.required && !isGroup ? 'true' : undefined,
    'aria-invalid': error !== undefined,
    disabled: conflict !== undefined,
  }
  const input = { id, value: form.values[name] ?? '', attributes, enter: (value: string) => enter(name, value) }
  const parts = htm`${control(context, dataset, param, input)}
    <p class="why" id=${`${id}-why`} hidden=${!why}>${why}</p>
    <p class="hint" id=${`${id}-hint`}>${withCode(paramHint(context, dataset, name, param))}</p>`
  return isGroup
    ? htm`<fieldset class=${look} data-param=${name} aria-describedby=${`${id}-hint ${id}-why`}><legend>${title}</legend>${parts}</fieldset>`
    : htm`<div class=${look} data-param=${name}><label for=${id}>${title}</label>${parts}</div>`
}

/** Ticks for the columns to be returned. `choose`: what is ticked now, in the contract's order; undefined: all. */
function fieldsChooser(
  { t }: PageContext,
  dataset: Dataset,
  { values, fields, refused }: FormState,
  choose: (fields: readonly string[] | undefined) => void,
): View {
  if (dataset.noFields) return htm`<div class="chooser"><p class="hint">${t('noFields')}</p></div>`
  const offered = fieldsOffered(dataset, values)
  const ticked = offered.filter((name) => fields?.includes(name) ?? true)
  const isAll = ticked.length === offered.length
  const take = (chosen: readonly string[]): void => choose(chosen.length === offered.length ? undefined : chosen)
  const toggle = (name: string): void => take(offered.filter((one) => (one === name) !== ticked.includes(one)))
  const boxes = Object.keys(dataset.columns).map((name) => {
    const isOffered = offered.includes(name)
    return htm`<label class=${isOffered ? 'tick' : 'tick closed'} title=${isOffered ? undefined : t('otherMode')}>
      <input type="checkbox" value=${name} id=${`field-${name}`} disabled=${!isOffered} checked=${ticked.includes(name)}
        onchange=${() => toggle(name)} /><code>${name}</code></label>`
  })
  return htm`<div class=${refused?.name === 'fields' ? 'chooser wrong' : 'chooser'}><details class="fields">
    <summary><code>fields</code> <span class="count">${t(isAll ? 'allFields' : 'someFields', { count: offered.length, some: ticked.length })}</span></summary>
    <div role="group" aria-label=${t('fields')}>
      <div class="row"><button type="button" onclick=${() => take(offered)}>${t('all')}</button>
        <button type="button" onclick=${() => take([])}>${t('none')}</button></div>
      <div class="ticks">${boxes}</div>
    </div>
  </details></div>`
}

/** What the service will refuse, unless that is what it has just refused; '' for nothing. */
function warningText({ t }: PageContext, dataset: Dataset, { values, fields, refused }: FormState): string {
  const refusal = findRefusal(dataset, toParams(dataset, values))?.message
  const problem = fields?.length === 0 ? t('chooseFields') : refusal === refused?.message ? undefined : refusal
  return problem === undefined ? '' : `${t('willRefuse')} ${problem}`
}

/** The params and fields of an operation. `change`: what the form is after something was entered. */
export function paramForm(
  context: PageContext,
  dataset: Dataset,
  form: FormState,
  change: (form: FormState) => void,
): View {
  const { t } = context
  const enter = (name: string, value: string): void => {
    const values = { ...form.values, [name]: value }
    // In another mode other fields are offered.
    const offered = fieldsOffered(dataset, values)
    const kept = form.fields?.filter((field) => offered.includes(field))
    const fields = kept?.length === offered.length ? undefined : kept
    change({ values, fields, refused: form.refused?.name === name ? undefined : form.refused })
  }
  const params = Object.entries(dataset.params).map((param) => paramField(context, dataset, form, param, enter))
  return htm`<div class="form">
    <div class="head"><h3>${t('params')}</h3><div class="row">
      <button type="button" onclick=${() => change(exampleForm(dataset))}>${t('example')}</button>
      <button type="button" onclick=${() => change({ values: {} })}>${t('clear')}</button>
    </div></div>
    <div class="grid">${params}</div>
    ${fieldsChooser(context, dataset, form, (fields) => change({ ...form, fields }))}
    <p class="warning" id="warning" role="status">${warningText(context, dataset, form)}</p>
  </div>`
}
