import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKey } from '../../../src/server/service/keys/manage-keys.js'
import { browse, executablePath, watched } from '../../helper/browser.js'
import { runService } from '../../helper/running-service.js'
import { tempDir } from '../../helper/temp.js'

describe.runIf(executablePath)('what the page says of keys', () => {
  let browser: Awaited<ReturnType<typeof browse>>
  beforeAll(async () => {
    browser = await browse()
  })
  afterAll(() => browser?.close())

  test('without a key file no key is asked for, and the first click is answered', async () => {
    const service = await runService()
    const { page, said } = await watched(browser.context)
    await page.goto(`${service.url}/`)
    expect(await page.locator('#apikey').count()).toBe(0)
    expect(await page.textContent('#line')).toBe('Nothing sent yet. The form holds an example; send it.')
    await page.click('#send')
    await page.waitForSelector('#line .sizes')
    expect(await page.textContent('#line')).toMatch(/^200success/)
    expect(said).toEqual([])
    await service.close()
  })

  test('with a key file the page says that a key is needed first, until there is one', async () => {
    const file = join(tempDir(), 'keys.json')
    await addKey(file, 'me', { plan: 'free', expiry: null, rate: null })
    const service = await runService({ keys: file })
    const { page } = await watched(browser.context)
    await page.goto(`${service.url}/`)
    expect(await page.textContent('#line')).toBe('Nothing sent yet. The form holds an example; a key is needed first.')
    await page.fill('#apikey', 'some key')
    expect(await page.textContent('#line')).toBe('Nothing sent yet. The form holds an example; send it.')
    await page.fill('#apikey', '')
    expect(await page.textContent('#line')).toContain('a key is needed first')
    await service.close()
  })
})
