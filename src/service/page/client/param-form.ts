import type { Dataset } from '../../../contract/dataset.js'
import { paramMeaning, valueTitle } from '../../../contract/language.js'
import type { Param } from '../../../contract/param.js'
import { bucketCloses } from '../../../contract/session.js'
import type { ApiCall } from './api-call.js'
import { button, type Child, make, withCode } from './dom.js'
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
import type { PageContext } from './page-text.js'

const placeholders: Partial<Record<Param['kind'], string>> = { date: 'YYYYMMDD', minute: 'HHmm', moment: 'YYYYMMDD' }
const listKinds: readonly string[] = ['codes', 'ids', 'texts']

function paramHint({ t, language }: PageContext, dataset: Dataset, name: string, param: Param): string {
  const { min, max } = param
  const range =
    min === undefined ? '' : max === undefined || max === 9999 ? t('atLeast', { min }) : t('range', { min, max })
  const end = range && (language === 'zh' ? '。' : '.')
  const several = listKinds.includes(param.kind) ? t('severalValues') : ''
  const parts = [paramMeaning(dataset, name, param, language), range + end, several]
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

/** A control: its element, and the inputs in it, which are named, closed and marked. */
interface Control {
  readonly element: HTMLElement
  readonly inputs: readonly (HTMLInputElement | HTMLSelectElement)[]
  /** Value as the form keeps it; ticked values are separated by commas. */
  read(): string
  write(text: string): void
}

function valueControl(input: HTMLInputElement | HTMLSelectElement, element: HTMLElement = input): Control {
  const write = (text: string): void => {
    input.value = text
  }
  return { element, inputs: [input], read: () => input.value, write }
}

function checkboxesControl({ language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const boxes = (param.values ?? []).map((value, i) => make('input', { type: 'checkbox', id: `${id}-${i}`, value }))
  const labels = boxes.map((box) => {
    const title = valueTitle(dataset, box.value, language)
    return make('label.tick', box, make('code', box.value), title !== undefined && make('span', title))
  })
  return {
    element: make('div.ticks', labels),
    inputs: boxes,
    read: () => boxes.flatMap((box) => (box.checked ? [box.value] : [])).join(','),
    write: (text) => {
      const ticked = splitList(text)
      for (const box of boxes) box.checked = ticked.includes(box.value)
    },
  }
}

function selectControl({ t, language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const none = param.default === undefined ? t('notSent') : t('byDefault', { value: param.default })
  const options = (param.values ?? []).map((value) => {
    const title = valueTitle(dataset, value, language)
    return make('option', { value }, title === undefined ? value : `${value} · ${title}`)
  })
  return valueControl(make('select', { id }, make('option', { value: '' }, `— ${none}`), options))
}

const plainInput = { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }

function textControl({ kind }: Param, id: string): Control {
  const inputmode = ['date', 'minute', 'integer'].includes(kind) && 'numeric'
  const list = kind === 'minute' && `${id}-list`
  const input = make('input', { id, ...plainInput, inputmode, placeholder: placeholders[kind], list })
  if (list === false) return valueControl(input)
  const closes = bucketCloses['15m'].map((value) => make('option', { value }))
  return valueControl(input, make('div', input, make('datalist', { id: list }, closes)))
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
  const control = isGroup
    ? checkboxesControl(context, dataset, param, id)
    : param.kind === 'choice'
      ? selectControl(context, dataset, param, id)
      : textControl(param, id)
  const title = [make('code', name), param.required === true && make('span.needed', context.t('required'))]
  const why = make('p.why', { id: `${id}-why`, hidden: true })
  const hint = make('p.hint', { id: `${id}-hint` }, withCode(paramHint(context, dataset, name, param)))
  const isPaging = 'offset' in dataset.params && (param.role === 'limit' || param.role === 'offset')
  const isHalf = isPaging || (dataset.ranges ?? []).flat().includes(name)
  const attributes = { class: isHalf ? 'field half' : 'field', 'data-param': name }
  const element = isGroup
    ? make('fieldset', attributes, { 'aria-describedby': `${id}-hint ${id}-why` }, make('legend', title))
    : make('div', attributes, make('label', { for: id }, title))
  element.append(control.element, why, hint)
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

/** Ticks for the columns to be returned. `change`: what is ticked now, in the contract's order. */
function fieldsChooser(
  { t }: PageContext,
  names: readonly string[],
  offered: readonly string[],
  ticked: readonly string[] | undefined,
  open: boolean,
  change: (ticked: readonly string[] | undefined) => void,
): HTMLElement {
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
  const boxes = names.map((value) => {
    const isOffered = offered.includes(value)
    const checked = isOffered && (ticked?.includes(value) ?? true)
    const attributes = { type: 'checkbox', value, id: `field-${value}`, disabled: !isOffered, checked }
    return make('input', attributes, { onchange: update })
  })
  const enabled = boxes.filter(({ disabled }) => !disabled)
  const count = make('span.count')
  update()
  const labels = boxes.map((box) => {
    const attributes = box.disabled ? { class: 'tick closed', title: t('otherMode') } : { class: 'tick' }
    return make('label', attributes, box, make('code', box.value))
  })
  const buttons = make('div.row', button(t('all'), setAll(true)), button(t('none'), setAll(false)))
  const group = make('div', { role: 'group', 'aria-label': t('fields') }, buttons, make('div.ticks', labels))
  return make('details.fields', { open }, make('summary', make('code', 'fields'), ' ', count), group)
}

/** What was entered for an operation; kept while the page is open. */
export interface FormState {
  readonly values: FormValues
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined
}

/** A message of the service, and the param or `fields` that it is about. */
interface NamedRefusal {
  readonly name: string
  readonly message: string
}

type ParamFields = readonly (readonly [name: string, field: ParamField])[]

/** Marks each param that was refused, or is excluded by others that are filled in. */
function markParams(
  { t }: PageContext,
  dataset: Dataset,
  params: ParamFields,
  values: FormValues,
  refused: NamedRefusal | undefined,
): void {
  const clashes = conflicts(dataset, values)
  for (const [name, field] of params) {
    const others = clashes.get(name)
    const clash = others && t('notWith', { names: others.join(', ') })
    const isEmpty = (values[name] ?? '').trim() === ''
    const error = refused?.name === name ? refused.message : isEmpty ? undefined : clash
    field.mark(isEmpty ? clash : undefined, error)
  }
}

/** What the service will refuse, unless that is what it has just refused; '' for nothing. */
function warningText(
  { t }: PageContext,
  dataset: Dataset,
  { values, fields }: FormState,
  refused: NamedRefusal | undefined,
): string {
  const refusal = findRefusal(dataset, toParams(dataset, values))?.message
  const problem = fields?.length === 0 ? t('chooseFields') : refusal === refused?.message ? undefined : refusal
  return problem === undefined ? '' : `${t('willRefuse')} ${problem}`
}

function callOf(dataset: Dataset, { values, fields }: FormState): ApiCall {
  return { dataset, params: toParams(dataset, values), fields: dataset.noFields ? undefined : fields }
}

/** What stands around the params: their heading and the buttons that fill them. */
function paramSection(
  { t }: PageContext,
  params: ParamFields,
  example: FormState,
  fill: (state: FormState) => void,
): Child {
  const clear = button(t('clear'), () => fill({ values: {}, fields: undefined }))
  const buttons = make(
    'div.row',
    button(t('example'), () => fill(example)),
    clear,
  )
  const elements = params.map(([, { element }]) => element)
  return [make('div.head', make('h3', t('params')), buttons), make('div.grid', elements)]
}

/** The params and fields of an operation. */
export interface ParamForm {
  readonly element: HTMLElement
  /** The call that the form says. */
  call(): ApiCall
  /** Marks the param that a refusal of the service names. */
  showRefusal(message: string): void
}

/**
 * The form of an operation.
 * @param entered what was entered before; undefined: the example
 * @param onChange is called with whatever was entered, at the start too
 */
export function paramForm(
  context: PageContext,
  dataset: Dataset,
  entered: FormState | undefined,
  onChange: (state: FormState, call: ApiCall) => void,
): ParamForm {
  const example: FormState = { values: toValues(dataset.example), fields: undefined }
  let state = entered ?? example
  let refused: NamedRefusal | undefined
  const warning = make('p.warning#warning', { role: 'status' })
  const chooser = make('div.chooser', dataset.noFields && make('p.hint', context.t('noFields')))

  const call = (): ApiCall => callOf(dataset, state)
  const show = (): void => {
    markParams(context, dataset, controls, state.values, refused)
    chooser.classList.toggle('wrong', refused?.name === 'fields')
    warning.textContent = warningText(context, dataset, state, refused)
    onChange(state, call())
  }
  const offerFields = (): void => {
    if (dataset.noFields) return
    const isOpen = chooser.querySelector('details')?.open ?? false
    const offered = fieldsOffered(dataset, state.values)
    const change = (fields: FormState['fields']): void => {
      state = { values: state.values, fields }
      show()
    }
    chooser.replaceChildren(fieldsChooser(context, Object.keys(dataset.columns), offered, state.fields, isOpen, change))
  }
  const fill = (filled: FormState): void => {
    state = filled
    refused = undefined
    for (const [name, control] of controls) control.write(state.values[name] ?? '')
    offerFields()
    show()
  }
  const read = (name: string, value: string): void => {
    const before = fieldsOffered(dataset, state.values).join()
    state = { ...state, values: { ...state.values, [name]: value } }
    if (refused?.name === name) refused = undefined
    if (fieldsOffered(dataset, state.values).join() !== before) offerFields()
    show()
  }
  const controls = Object.entries(dataset.params).map(([name, param]): [string, ParamField] => {
    const control = paramField(context, dataset, name, param)
    control.element.addEventListener('input', () => read(name, control.read()))
    return [name, control]
  })
  fill(state)
  return {
    element: make('div.form', paramSection(context, controls, example, fill), chooser, warning),
    call,
    showRefusal: (message) => {
      const name = findNamedField(dataset, message)
      refused = name === undefined ? undefined : { name, message }
      show()
    },
  }
}
