import { describe, expect, test } from 'vitest'
import { QuotebookError } from '../../../../src/contract/error.js'
import { openShare, type ShareLinkOptions } from '../../../../src/data/ticks/share/open-share.js'

describe('links that are none', () => {
  test.each<[link: string, options: ShareLinkOptions, message: RegExp]>([
    ['', {}, /is empty/],
    ['https://user:s3cret@host.example/s3cret', {}, /holds a user or password: give them apart/],
    ['https://s3cret@host.example/', {}, /holds a user or password/],
    ['ftp://host.example/s3cret', {}, /begins with ftp:/],
    ['smb://host.example/s3cret', {}, /begins with smb:/],
    [' https://host.example/s3cret', {}, /begins with something else/],
    ['"https://host.example/s3cret"', {}, /begins with something else/],
    ['https://[s3cret', {}, /can not be read/],
    ['file://host.example/s3cret', {}, /names no folder of this machine/],
    ['https://host.example/s3cret', { kind: 'nextcloud' }, /is none of Nextcloud/],
    ['https://host.example/s3cret', { kind: 'folder' }, /must be a path/],
    ['/tmp/s3cret', { kind: 'webdav' }, /must begin with https/],
    ['https://host.example/s3cret', { user: 'a:b', password: 's3cret' }, /user with a colon/],
    [
      'https://host.example/s3cret',
      { kind: 'zip' as 'index' },
      /of kind "zip"; there are webdav, nextcloud, index, folder/,
    ],
  ])('%s %j', (link, options, message) => {
    let error: unknown
    try {
      openShare(link, options)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(QuotebookError)
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
    expect(String((error as Error).stack).split('\n')[0]).not.toContain('s3cret')
  })
})

test('the name is for people: the host, or the folder', () => {
  expect(openShare('https://host.example/s/t0ken?key=s3cret').name).toBe('https://host.example')
  expect(openShare('HTTPS://Host.Example:8443/x/').name).toBe('https://host.example:8443')
  expect(openShare('/data/ticks/').name).toBe('/data/ticks')
  expect(openShare('file:///data/a%20b').name).toBe('/data/a b')
  expect(openShare('C:/x').name).toMatch(/C:\/x$/)
})
