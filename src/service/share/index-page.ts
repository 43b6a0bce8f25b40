import { escaped } from '../../show/escaped.js'
import type { Resource } from './multistatus.js'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const nameWidth = 51
const sizeWidth = 20

/** `29-Jul-2026 08:15`, UTC, as nginx writes it. */
function when(time: number): string {
  const text = new Date(time).toISOString()
  return `${text.slice(8, 10)}-${months[Number(text.slice(5, 7)) - 1]}-${text.slice(0, 4)} ${text.slice(11, 16)}`
}

function line({ name, modified = 0, file }: Resource): string {
  const gap = ' '.repeat(Math.max(1, nameWidth - name.length))
  const size = String(file?.size ?? '-').padStart(sizeWidth)
  return `<a href="${escaped(encodeURIComponent(name))}">${escaped(name)}</a>${gap}${when(modified)}${size}\n`
}

/** A folder as a page, in the form of nginx's directory index: a line per file with date (UTC) and bytes. */
export function indexPage(title: string, files: readonly Resource[]): string {
  const heading = `Index of ${escaped(title)}`
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body>
<h1>${heading}</h1><hr><pre>${files.map(line).join('')}</pre><hr>
</body>
</html>
`
}
