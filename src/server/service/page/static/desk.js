/* What the desk can't say by links: its keys, copying and printing, lists that are chosen, what is shown first of what is too wide, and frames as high as their pages. */
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

/* The bar shows the present page, and a map of days its newest. */
const here = document.querySelector('.bar a[aria-current]')
const bar = here?.closest('ul')
if (bar) bar.scrollLeft = here.offsetLeft - bar.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2
for (const map of document.querySelectorAll('.cover')) map.parentElement.scrollLeft = map.parentElement.scrollWidth

/* A page in a frame says how high it is, and where in it is to be looked at; it is from elsewhere, and no more is taken from it. */
addEventListener('message', ({ source, data }) => {
  const frame = [...document.querySelectorAll('iframe')].find((one) => one.contentWindow === source)
  const [height, top] = [Number(data?.height), Number(data?.top)]
  if (frame && height > 0) frame.style.height = `${Math.min(Math.ceil(height) + 2, 100_000)}px`
  if (frame && top >= 0) scrollTo(0, scrollY + frame.getBoundingClientRect().top + top)
})
