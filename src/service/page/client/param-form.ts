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

/** What is to be seen at a control beside its value. */
export interface FieldState {
  /** Why it can not be filled in. */
  readonly closed?: string | undefined
  /** What is wrong with it. */
  readonly wrong?: string | undefined
}

export interface ParamField {
  readonly element: HTMLElement
  /** Value as the form keeps it; ticked values are separated by commas. */
  read(): string
  write(text: string): void
  mark(mark: FieldState): void
}

const placeholders: Partial<Record<Param['kind'], string>> = { date: 'YYYYMMDD', minute: 'HHmm', moment: 'YYYYMMDD' }
const several: readonly string[] = ['codes', 'ids', 'texts']

function hintOf({ say, language }: PageContext, dataset: Dataset, name: string, param: Param): string {
  const { min, max } = param
  const range =
    min === undefined ? '' : max === undefined || max === 9999 ? say('atLeast', { min }) : say('range', { min, max })
  const parts = [
    paramMeaning(dataset, name, param, language),
    range && `${range}${language === 'zh' ? '。' : '.'}`,
    several.includes(param.kind) ? say('severalValues') : '',
  ]
  return parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ')
}

interface Control {
  readonly element: HTMLElement
  /** What a label points at, what is disabled and marked. */
  readonly parts: readonly (HTMLInputElement | HTMLSelectElement)[]
  read(): string
  write(text: string): void
}

function choice({ say, language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const none = param.default === undefined ? say('notSent') : say('byDefault', { value: param.default })
  const options = (param.values ?? []).map((value) => {
    const title = valueTitle(dataset, value, language)
    return make('option', { value }, title === undefined ? value : `${value} · ${title}`)
  })
  const element = make('select', { id }, make('option', { value: '' }, `— ${none}`), ...options)
  return {
    element,
    parts: [element],
    read: () => element.value,
    write: (text) => {
      element.value = text
    },
  }
}

function choices({ language }: PageContext, dataset: Dataset, param: Param, id: string): Control {
  const boxes = (param.values ?? []).map((value, i) => make('input', { type: 'checkbox', id: `${id}-${i}`, value }))
  const labels = boxes.map((box) => {
    const title = valueTitle(dataset, box.value, language)
    return make(
      'label',
      { class: 'tick' },
      box,
      make('code', {}, box.value),
      title !== undefined && make('span', {}, title),
    )
  })
  return {
    element: make('div', { class: 'ticks' }, ...labels),
    parts: boxes,
    read: () => boxes.flatMap((box) => (box.checked ? [box.value] : [])).join(','),
    write: (text) => {
      const ticked = splitList(text)
      for (const box of boxes) box.checked = ticked.includes(box.value)
    },
  }
}

function typed(param: Param, id: string): Control {
  const isMinute = param.kind === 'minute'
  const input = make('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    inputmode: ['date', 'minute', 'integer'].includes(param.kind) ? 'numeric' : undefined,
    placeholder: placeholders[param.kind],
    list: isMinute ? `${id}-list` : undefined,
  })
  const closes = bucketCloses['15m'].map((value) => make('option', { value }))
  return {
    element: isMinute ? make('div', {}, input, make('datalist', { id: `${id}-list` }, ...closes)) : input,
    parts: [input],
    read: () => input.value,
    write: (text) => {
      input.value = text
    },
  }
}

/** The control of a param, with its label, its meaning and what is wrong with it. */
export function paramField(context: PageContext, dataset: Dataset, name: string, param: Param): ParamField {
  const { say } = context
  const id = `param-${name}`
  const isGroup = param.kind === 'choices'
  const control =
    param.kind === 'choice'
      ? choice(context, dataset, param, id)
      : isGroup
        ? choices(context, dataset, param, id)
        : typed(param, id)
  const title = [
    make('code', {}, name),
    ...(param.required ? [make('span', { class: 'needed' }, say('required'))] : []),
  ]
  const hint = make('p', { class: 'hint', id: `${id}-hint` }, ...withCode(hintOf(context, dataset, name, param)))
  const why = make('p', { class: 'why', id: `${id}-why`, hidden: true })
  const isPage = 'offset' in dataset.params && (param.role === 'limit' || param.role === 'offset')
  const isHalf = isPage || (dataset.ranges ?? []).flat().includes(name)
  const half = isHalf ? 'field half' : 'field'
  const label = isGroup ? make('legend', {}, ...title) : make('label', { for: id }, ...title)
  const element = isGroup
    ? make('fieldset', { class: half, 'aria-describedby': `${id}-hint ${id}-why` }, label, control.element, why, hint)
    : make('div', { class: half }, label, control.element, why, hint)
  element.dataset.param = name
  for (const part of control.parts) {
    part.setAttribute('aria-describedby', `${id}-why ${id}-hint`)
    if (param.required && !isGroup) part.setAttribute('aria-required', 'true')
  }
  return {
    element,
    read: control.read,
    write: control.write,
    mark: ({ closed, wrong }) => {
      for (const part of control.parts) {
        part.disabled = closed !== undefined
        part.setAttribute('aria-invalid', String(wrong !== undefined))
      }
      element.classList.toggle('closed', closed !== undefined)
      element.classList.toggle('wrong', wrong !== undefined)
      why.textContent = wrong ?? closed ?? ''
      why.hidden = why.textContent === ''
    },
  }
}

/** Ticks for the columns wanted. `change`: what is ticked now, in the contract's order. */
export function fieldsChooser(
  { say }: PageContext,
  names: readonly string[],
  offered: readonly string[],
  ticked: readonly string[] | undefined,
  change: (ticked: readonly string[] | undefined) => void,
): HTMLElement {
  const boxes = names.map((value) => {
    const box = make('input', { type: 'checkbox', value, id: `field-${value}` })
    box.disabled = !offered.includes(value)
    box.checked = !box.disabled && (ticked?.includes(value) ?? true)
    return box
  })
  const open = boxes.filter(({ disabled }) => !disabled)
  const count = make('span', { class: 'count' })
  const tell = (): void => {
    const on = open.flatMap((box) => (box.checked ? [box.value] : []))
    const whole = on.length === open.length
    count.textContent = say(whole ? 'allFields' : 'someFields', { count: open.length, some: on.length })
    change(whole ? undefined : on)
  }
  const set = (checked: boolean) => () => {
    for (const box of open) box.checked = checked
    tell()
  }
  for (const box of boxes) box.addEventListener('change', tell)
  tell()
  const labels = boxes.map((box) =>
    make(
      'label',
      { class: box.disabled ? 'tick closed' : 'tick', title: box.disabled ? say('otherMode') : undefined },
      box,
      make('code', {}, box.value),
    ),
  )
  const buttons = make('div', { class: 'row' }, button(say('all'), set(true)), button(say('none'), set(false)))
  return make(
    'details',
    { class: 'fields' },
    make('summary', {}, make('code', {}, 'fields'), ' ', count),
    make('div', { role: 'group', 'aria-label': say('fields') }, buttons, make('div', { class: 'ticks' }, ...labels)),
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

export interface ParamForm {
  readonly element: HTMLElement
  call(): ApiCall
  /** Marks the param that a refusal of the service names. */
  blame(message: string): void
}

/** The params and fields of an operation. `change` is called with whatever was entered, at the start too. */
export function createForm(
  context: PageContext,
  dataset: Dataset,
  entered: FormState,
  change: (entered: FormState) => void,
): ParamForm {
  const { say } = context
  let { values, fields } = entered
  let blamed: { name: string; message: string } | undefined
  const controls = new Map<string, ParamField>(
    Object.entries(dataset.params).map(([name, param]) => [name, paramField(context, dataset, name, param)]),
  )
  const warning = make('p', { class: 'warning', id: 'warning', role: 'status' })
  const chooser = make('div', { class: 'chooser' })

  const call = (): ApiCall => ({
    dataset,
    params: toParams(dataset, values),
    fields: dataset.noFields ? undefined : fields,
  })

  const show = (): void => {
    const beside = conflicts(dataset, values)
    for (const [name, control] of controls) {
      const others = beside.get(name)
      const clash = others && say('notWith', { names: others.join(', ') })
      const isEmpty = (values[name] ?? '').trim() === ''
      const wrong = blamed?.name === name ? blamed.message : isEmpty ? undefined : clash
      control.mark({ closed: isEmpty ? clash : undefined, wrong })
    }
    chooser.classList.toggle('wrong', blamed?.name === 'fields')
    const refusal = findRefusal(dataset, toParams(dataset, values))
    const said = refusal?.message === blamed?.message ? undefined : refusal?.message
    const text = fields?.length === 0 ? say('chooseFields') : said
    warning.textContent = text === undefined ? '' : `${say('willRefuse')} ${text}`
    change({ values, fields })
  }

  const offerFields = (): void => {
    if (dataset.noFields) {
      chooser.replaceChildren(make('p', { class: 'hint' }, say('noFields')))
      return
    }
    const isOpen = chooser.querySelector('details')?.open ?? false
    const names = Object.keys(dataset.columns)
    const offered = fieldsOffered(dataset, values)
    const element = fieldsChooser(context, names, offered, fields, (ticked) => {
      fields = ticked
      show()
    })
    if (element instanceof HTMLDetailsElement) element.open = isOpen
    chooser.replaceChildren(element)
  }

  const fill = (next: FormState): void => {
    values = next.values
    fields = next.fields
    blamed = undefined
    for (const [name, control] of controls) control.write(values[name] ?? '')
    offerFields()
    show()
  }

  for (const [name, control] of controls) {
    control.element.addEventListener('input', () => {
      const offered = fieldsOffered(dataset, values).join()
      values = { ...values, [name]: control.read() }
      if (blamed?.name === name) blamed = undefined
      if (fieldsOffered(dataset, values).join() !== offered) offerFields()
      show()
    })
  }
  fill(entered)

  const head = make(
    'div',
    { class: 'head' },
    make('h3', {}, say('params')),
    make(
      'div',
      { class: 'row' },
      button(say('example'), () => fill(exampleState(dataset))),
      button(say('clear'), () => fill({ values: {}, fields: undefined })),
    ),
  )
  return {
    element: make(
      'div',
      { class: 'form' },
      head,
      make('div', { class: 'grid' }, ...[...controls.values()].map(({ element }) => element)),
      chooser,
      warning,
    ),
    call,
    blame: (message) => {
      const name = findNamedField(dataset, message)
      blamed = name === undefined ? undefined : { name, message }
      show()
    },
  }
}
