import { expect, test } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/error.js'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { NodePool } from '../../../../src/data/source/transport/node-pool.js'
import { fakeClock } from './fake-clock.js'

const [a, b] = ['http://a', 'http://b']

/** Nodes whose health a test sets. */
function stage() {
  const clock = fakeClock()
  const nodes = new NodePool(clock)
  const ill = new Map<string, ErrorCode>()
  const asked: string[] = []
  const ask = async ({ node }: { readonly node: string }): Promise<string> => {
    asked.push(node)
    await Promise.resolve()
    const code = ill.get(node)
    if (code) throw new SourceError(code, `${node} is ill`, { node, retryable: true, retryAfter: 7, cause: 'flu' })
    return node
  }
  /** What came of a run, and whom it asked. */
  const run = async (...order: string[]) => {
    asked.length = 0
    const end = await nodes
      .failOver(ask)({ nodes: order })
      .catch((error: unknown) => error)
    return { end, asked: [...asked] }
  }
  return { clock, nodes, ill, run }
}

test('a node rests after three failures in a row, not after three in all; an answer that refuses is a sign of health', async () => {
  const { ill, run } = stage()
  for (const health of ['TIMEOUT', 'TIMEOUT', '', 'TIMEOUT', 'TIMEOUT', 'UNAVAILABLE', 'TIMEOUT', 'TIMEOUT'] as const) {
    if (health === '') ill.delete(a)
    else ill.set(a, health)
    expect((await run(a, b)).asked[0]).toBe(a)
  }
  expect((await run(a, b)).asked).toEqual([a, b])
  expect((await run(a, b)).asked).toEqual([b])
})

test('after its rest one trial goes to the node: failing it rests again, an abort ends it, success brings it back', async () => {
  const { clock, nodes, ill, run } = stage()
  ill.set(a, 'UNREACHABLE')
  for (let n = 0; n < 3; n++) await run(a, b)
  await clock.pass(29_999)
  expect((await run(a, b)).asked).toEqual([b])
  await clock.pass(1)
  expect((await run(a, b)).asked).toEqual([a, b])
  await clock.pass(30_000)
  let give = (_: Error): void => {}
  const hang = (): Promise<never> =>
    new Promise((_, reject) => {
      give = reject
    })
  const trial = nodes.failOver(hang)({ nodes: [a, b] })
  const ended = expect(trial).rejects.toThrow('changed my mind')
  expect((await run(a, b)).asked).toEqual([b])
  give(new Error('changed my mind'))
  await ended
  ill.delete(a)
  expect((await run(a, b)).asked).toEqual([a])
})

test('when all rest the preferred is asked, and its success ends its rest', async () => {
  const { ill, run } = stage()
  ill.set(a, 'UNREACHABLE').set(b, 'TIMEOUT')
  for (let n = 0; n < 3; n++) await run(a, b)
  expect((await run(b, a)).asked).toEqual([b])
  ill.delete(a)
  expect((await run(a, b)).asked).toEqual([a])
  expect((await run(b, a)).asked).toEqual([a])
})
