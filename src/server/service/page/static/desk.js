/* What the desk can't say by links: its keys, copying and printing, lists that are chosen, and parts that come later. */
const field = document.getElementById('find')

addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
  const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isFind && (event.key !== '/' || isTyping)) return
  event.preventDefault()
  field?.focus()
  field?.select()
})

for (const select of document.querySelectorAll('[data-go]'))
  select.addEventListener('change', () => select.form.requestSubmit())

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent += ' ✓'
  })

for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print())
