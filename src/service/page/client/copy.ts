import type { Context } from './context.js'
import { button, make } from './dom.js'

function select(element: HTMLElement): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** A text to copy, read when it is copied. Where the clipboard is closed (plain HTTP), it is selected for the keyboard. */
export function copyButton({ say }: Context, element: HTMLElement): HTMLElement {
  const said = make('span', { class: 'said', role: 'status' })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(element.textContent ?? '')
      said.textContent = say('copied')
    } catch {
      select(element)
      said.textContent = say('copyByHand')
    }
  }
  return make(
    'span',
    { class: 'copy' },
    button(say('copy'), () => void copy()),
    said,
  )
}
