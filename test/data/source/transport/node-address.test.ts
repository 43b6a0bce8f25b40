import { expect, test } from 'vitest'
import { QuotebookError } from '../../../../src/contract/error.js'
import { checkNodeAddress } from '../../../../src/data/source/transport/node-address.js'

const good: [string, string][] = [
  ['https://host.example', 'https://host.example'],
  ['https://host.example/', 'https://host.example'],
  ['https://host.example/api', 'https://host.example'],
  ['https://host.example/api/', 'https://host.example'],
  ['https://host.example/api//', 'https://host.example'],
  ['HTTPS://Host.Example:443/api', 'https://host.example'],
  [' http://host.example:8080 ', 'http://host.example:8080'],
  ['http://host.example/mirror/v1/', 'http://host.example/mirror/v1'],
  ['http://host.example/mirror/api', 'http://host.example/mirror'],
  ['http://host.example/myapi', 'http://host.example/myapi'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
]

test.each(good)('%s becomes %s, and stays that', (text, node) => {
  expect(checkNodeAddress(text)).toBe(node)
  expect(checkNodeAddress(node)).toBe(node)
})

const bad: [string, RegExp][] = [
  ['', /can not be read/],
  ['host.example', /"host.example" can not be read/],
  ['//host.example', /can not be read/],
  ['ftp://host.example', /begins with ftp:, not http: or https:/],
  ['file:///etc/passwd', /begins with file:/],
  ['host.example:8080', /begins with host.example:/],
  ['https://user:sesame@host.example', /of host.example holds a user or password/],
  ['https://sesame@host.example', /of host.example holds a user or password/],
  ['https://host.example?apikey=sesame', /of host.example goes on after \? or #/],
  ['https://host.example/#sesame', /of host.example goes on after \? or #/],
  ['ht tps://user:sesame@host.example', /node address can not be read/],
  ['host?sesame', /node address can not be read/],
]

test.each(bad)('%j is refused, and no password is repeated', (text, message) => {
  const act = () => checkNodeAddress(text)
  expect(act).toThrow(QuotebookError)
  expect(act).toThrow(message)
  expect(act).toThrow(expect.objectContaining({ code: 'USAGE', message: expect.not.stringContaining('sesame') }))
})
