import type { Dataset } from '../../../contract/dataset.js'
import type { Call } from './call.js'
import type { Context } from './context.js'
import { button, make } from './dom.js'
import { type Field, fieldsChooser, paramField } from './field.js'
import { conflicts, type FormValues, fieldNamed, fieldsOffered, paramsOf, refusalOf, valuesOf } from './form-values.js'

/** What was entered for an operation; kept while the page is open. */
export interface Entered {
  readonly values: FormValues
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined
}

export function exampleOf(dataset: Dataset): Entered {
  return { values: valuesOf(dataset.example), fields: undefined }
}

export interface Form {
  readonly element: HTMLElement
  call(): Call
  /** Marks the param that a refusal of the service names. */
  blame(message: string): void
}

/** The params and fields of an operation. `change` is called with whatever was entered, at the start too. */
export function createForm(
  context: Context,
  dataset: Dataset,
  entered: Entered,
  change: (entered: Entered) => void,
): Form {
  const { say } = context
  let { values, fields } = entered
  let blamed: { name: string; message: string } | undefined
  const controls = new Map<string, Field>(
    Object.entries(dataset.params).map(([name, param]) => [name, paramField(context, dataset, name, param)]),
  )
  const warning = make('p', { class: 'warning', id: 'warning', role: 'status' })
  const chooser = make('div', { class: 'chooser' })

  const call = (): Call => ({
    dataset,
    params: paramsOf(dataset, values),
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
    const refusal = refusalOf(dataset, paramsOf(dataset, values))
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

  const fill = (next: Entered): void => {
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
      button(say('example'), () => fill(exampleOf(dataset))),
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
      const name = fieldNamed(dataset, message)
      blamed = name === undefined ? undefined : { name, message }
      show()
    },
  }
}
