import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where chromium is; undefined when there is none. */
export const executablePath = places.find((path) => path !== undefined && existsSync(path))

const still = [
  '--no-sandbox --disable-gpu --disable-quic --no-first-run',
  '--disable-background-networking --disable-component-update --disable-sync',
].flatMap((flags) => flags.split(' '))

/** A browser with a folder of its own; `close` removes both. */
export async function browse(): Promise<{ folder: string; context: BrowserContext; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'quotebook-browser-'))
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    args: still,
    headless: true,
    ...(executablePath === undefined ? {} : { executablePath }),
  })
  const close = async (): Promise<void> => {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, context, close }
}

/** A new page of a test, with all that it says (console, errors, dialogs) and all that it asks for. */
export async function watched(context: BrowserContext): Promise<{ page: Page; said: string[]; asked: string[] }> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  const [said, asked]: [string[], string[]] = [[], []]
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('dialog', (dialog) => {
    said.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('request', (request) => asked.push(request.url()))
  return { page, said, asked }
}

/** The relative luminance contrast of two colours, WCAG 2.1. */
export function contrast(a: string, b: string): number {
  const light = (color: string): number => {
    const [r = 0, g = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue
  }
  const [low = 0, high = 0] = [light(a), light(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}
