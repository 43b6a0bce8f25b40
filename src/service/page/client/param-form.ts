import type { Dataset } from '../../../contract/dataset.js'
import type { Param } from '../../../contract/param.js'
import { bucketCloses } from '../../../contract/session.js'
import type { ApiCall } from './api-call.js'
import { button, make, withCode } from './dom.js'
import {
  conflicts,
  type FormValues,
  fieldsOffered,
  findNamedField,
  findRefusal,
  splitList,
  toParams,
  toValues,
} from './form-values.js'
import { type PageContext, paramMeaning, valueTitle } from './page-text.js'

const placeholders: Partial<Record<Param['kind'], string>> = { date: 'YYYYMMDD', minute: 'HHmm', moment: 'YYYYMMDD' }
const listKinds: readonly string[] = ['codes', 'ids', 'texts']

function paramHint({ t, language }: PageContext, dataset: Dataset, name: string, param: Param): string {
  const { min, max } = param
  const range =
    min === undefined ? '' : max === undefined || max === 9999 ? t('atLeast', { min }) : t('range', { min, max })
  const parts = [
    paramMeaning(dataset, name, param, language),
    range && `${range}${language === 'zh' ? '。' : '.'}`,
    listKinds.includes(param.kind) ? t('severalValues') : '',
  ]
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

interface Control {
  readonly element: HTMLElement
  /** What a label points at, what is disabled and marked. */
  readonly inputs: readonly (HTMLInputElement | HTMLSelectElement)[]
  /** Value as the form keeps it; ticked values are separated by commas. */
  read(): string
  write(text: string): void
}

function valueControl(element: HTMLElement, input: HTMLInputElement | HTMLSelectElement): Control {
  const write = (text: string): void => {
    input.value = text
  }
  return { element, inputs: [input], read: () => input.value, write }
}

function selectControl({ t, language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const none = param.default === undefined ? t('notSent') : t('byDefault', { value: param.default })
  const options = (param.values ?? []).map((value) => {
    const title = valueTitle(dataset, value, language)
    return make('option', { value }, title === undefined ? value : `${value} · ${title}`)
  })
  const element = make('select', { id }, make('option', { value: '' }, `— ${none}`), ...options)
  return valueControl(element, element)
}

function checkboxesControl({ language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const boxes = (param.values ?? []).map((value, i) => make('input', { type: 'checkbox', id: `${id}-${i}`, value }))
  const labels = boxes.map((box) => {
    const title = valueTitle(dataset, box.value, language)
    const about = title !== undefined && make('span', {}, title)
    return make('label', { class: 'tick' }, box, make('code', {}, box.value), about)
  })
  return {
    element: make('div', { class: 'ticks' }, ...labels),
    inputs: boxes,
    read: () => boxes.flatMap((box) => (box.checked ? [box.value] : [])).join(','),
    write: (text) => {
      const ticked = splitList(text)
      for (const box of boxes) box.checked = ticked.includes(box.value)
    },
  }
}

function textControl(param: Param, id: string): Control {
  const list = param.kind === 'minute' ? `${id}-list` : undefined
  const input = make('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    inputmode: ['date', 'minute', 'integer'].includes(param.kind) ? 'numeric' : undefined,
    placeholder: placeholders[param.kind],
    list,
  })
  if (list === undefined) return valueControl(input, input)
  const closes = bucketCloses['15m'].map((value) => make('option', { value }))
  return valueControl(make('div', {}, input, make('datalist', { id: list }, ...closes)), input)
}

/** The control of a param with what is to be seen at it. */
interface ParamField extends Pick<Control, 'element' | 'read' | 'write'> {
  /** `conflict`: why it can not be filled in; `error`: what is wrong with its value. */
  mark(conflict: string | undefined, error: string | undefined): void
}

/** The control of a param, with its label, its meaning and what is wrong with it. */
function paramField(context: PageContext, dataset: Dataset, name: string, param: Param): ParamField {
  const id = `param-${name}`
  const isGroup = param.kind === 'choices'
  const create = isGroup ? checkboxesControl : selectControl
  const isChoice = isGroup || param.kind === 'choice'
  const control = isChoice ? create(context, dataset, param, id) : textControl(param, id)
  const required = param.required === true && make('span', { class: 'needed' }, context.t('required'))
  const label = make(isGroup ? 'legend' : 'label', isGroup ? {} : { for: id }, make('code', {}, name), required)
  const hint = make('p', { class: 'hint', id: `${id}-hint` }, ...withCode(paramHint(context, dataset, name, param)))
  const why = make('p', { class: 'why', id: `${id}-why`, hidden: true })
  const isPaging = 'offset' in dataset.params && (param.role === 'limit' || param.role === 'offset')
  const isHalf = isPaging || (dataset.ranges ?? []).flat().includes(name)
  const attributes = { class: isHalf ? 'field half' : 'field', 'data-param': name }
  const described = { 'aria-describedby': `${id}-hint ${id}-why` }
  const children = [label, control.element, why, hint]
  const element = isGroup
    ? make('fieldset', { ...attributes, ...described }, ...children)
    : make('div', attributes, ...children)
  for (const input of control.inputs) {
    input.setAttribute('aria-describedby', `${id}-why ${id}-hint`)
    if (param.required && !isGroup) input.setAttribute('aria-required', 'true')
  }
  const mark = (conflict: string | undefined, error: string | undefined): void => {
    for (const input of control.inputs) {
      input.disabled = conflict !== undefined
      input.setAttribute('aria-invalid', String(error !== undefined))
    }
    element.classList.toggle('closed', conflict !== undefined)
    element.classList.toggle('wrong', error !== undefined)
    why.textContent = error ?? conflict ?? ''
    why.hidden = why.textContent === ''
  }
  return { element, read: control.read, write: control.write, mark }
}

/** Ticks for the columns wanted. `change`: what is ticked now, in the contract's order. */
function fieldsChooser(
  { t }: PageContext,
  names: readonly string[],
  offered: readonly string[],
  ticked: readonly string[] | undefined,
  change: (ticked: readonly string[] | undefined) => void,
): HTMLDetailsElement {
  const boxes = names.map((value) => {
    const box = make('input', { type: 'checkbox', value, id: `field-${value}` })
    box.disabled = !offered.includes(value)
    box.checked = !box.disabled && (ticked?.includes(value) ?? true)
    return box
  })
  const enabled = boxes.filter(({ disabled }) => !disabled)
  const count = make('span', { class: 'count' })
  const update = (): void => {
    const chosen = enabled.flatMap((box) => (box.checked ? [box.value] : []))
    const isAll = chosen.length === enabled.length
    count.textContent = t(isAll ? 'allFields' : 'someFields', { count: enabled.length, some: chosen.length })
    change(isAll ? undefined : chosen)
  }
  const setAll = (checked: boolean) => () => {
    for (const box of enabled) box.checked = checked
    update()
  }
  for (const box of boxes) box.addEventListener('change', update)
  update()
  const labels = boxes.map((box) => {
    const attributes = box.disabled ? { class: 'tick closed', title: t('otherMode') } : { class: 'tick' }
    return make('label', attributes, box, make('code', {}, box.value))
  })
  const buttons = make('div', { class: 'row' }, button(t('all'), setAll(true)), button(t('none'), setAll(false)))
  const group = { role: 'group', 'aria-label': t('fields') }
  return make(
    'details',
    { class: 'fields' },
    make('summary', {}, make('code', {}, 'fields'), ' ', count),
    make('div', group, buttons, make('div', { class: 'ticks' }, ...labels)),
  )
}

/** What was entered for an operation; kept while the page is open. */
export interface FormState {
  readonly values: FormValues
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined
}

export function exampleState(dataset: Dataset): FormState {
  return { values: toValues(dataset.example), fields: undefined }
}

/** The params and fields of an operation. */
export class ParamForm {
  readonly element: HTMLElement
  readonly #context: PageContext
  readonly #dataset: Dataset
  readonly #onChange: (state: FormState) => void
  readonly #controls: ReadonlyMap<string, ParamField>
  readonly #warning = make('p', { class: 'warning', id: 'warning', role: 'status' })
  readonly #chooser = make('div', { class: 'chooser' })
  #state: FormState
  #refused: { readonly name: string; readonly message: string } | undefined

  /** @param onChange is called with whatever was entered, at the start too */
  constructor(context: PageContext, dataset: Dataset, state: FormState, onChange: (state: FormState) => void) {
    this.#context = context
    this.#dataset = dataset
    this.#onChange = onChange
    this.#state = state
    const params = Object.entries(dataset.params)
    this.#controls = new Map(params.map(([name, param]) => [name, paramField(context, dataset, name, param)]))
    for (const [name, { element }] of this.#controls) element.addEventListener('input', () => this.#read(name))
    this.#fill(state)
    const { t } = context
    const example = button(t('example'), () => this.#fill(exampleState(dataset)))
    const clear = button(t('clear'), () => this.#fill({ values: {}, fields: undefined }))
    const head = make(
      'div',
      { class: 'head' },
      make('h3', {}, t('params')),
      make('div', { class: 'row' }, example, clear),
    )
    const grid = make('div', { class: 'grid' }, ...[...this.#controls.values()].map(({ element }) => element))
    this.element = make('div', { class: 'form' }, head, grid, this.#chooser, this.#warning)
  }

  call(): ApiCall {
    const { values, fields } = this.#state
    const dataset = this.#dataset
    return { dataset, params: toParams(dataset, values), fields: dataset.noFields ? undefined : fields }
  }

  /** Marks the param that a refusal of the service names. */
  showRefusal(message: string): void {
    const name = findNamedField(this.#dataset, message)
    this.#refused = name === undefined ? undefined : { name, message }
    this.#show()
  }

  #fill(state: FormState): void {
    this.#state = state
    this.#refused = undefined
    for (const [name, control] of this.#controls) control.write(state.values[name] ?? '')
    this.#offerFields()
    this.#show()
  }

  #read(name: string): void {
    const { values, fields } = this.#state
    const offered = fieldsOffered(this.#dataset, values).join()
    const changed = { ...values, [name]: this.#controls.get(name)?.read() ?? '' }
    this.#state = { values: changed, fields }
    if (this.#refused?.name === name) this.#refused = undefined
    if (fieldsOffered(this.#dataset, changed).join() !== offered) this.#offerFields()
    this.#show()
  }

  #offerFields(): void {
    const dataset = this.#dataset
    if (dataset.noFields) {
      this.#chooser.replaceChildren(make('p', { class: 'hint' }, this.#context.t('noFields')))
      return
    }
    const isOpen = this.#chooser.querySelector('details')?.open ?? false
    const { values, fields } = this.#state
    const offered = fieldsOffered(dataset, values)
    const chooser = fieldsChooser(this.#context, Object.keys(dataset.columns), offered, fields, (ticked) => {
      this.#state = { values: this.#state.values, fields: ticked }
      this.#show()
    })
    chooser.open = isOpen
    this.#chooser.replaceChildren(chooser)
  }

  #show(): void {
    const { t } = this.#context
    const { values, fields } = this.#state
    const clashes = conflicts(this.#dataset, values)
    for (const [name, control] of this.#controls) {
      const others = clashes.get(name)
      const clash = others && t('notWith', { names: others.join(', ') })
      const isEmpty = (values[name] ?? '').trim() === ''
      const error = this.#refused?.name === name ? this.#refused.message : isEmpty ? undefined : clash
      control.mark(isEmpty ? clash : undefined, error)
    }
    this.#chooser.classList.toggle('wrong', this.#refused?.name === 'fields')
    const refusal = findRefusal(this.#dataset, toParams(this.#dataset, values))?.message
    const shown = refusal === this.#refused?.message ? undefined : refusal
    const text = fields?.length === 0 ? t('chooseFields') : shown
    this.#warning.textContent = text === undefined ? '' : `${t('willRefuse')} ${text}`
    this.#onChange(this.#state)
  }
}
