import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/error.js'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { NodePool } from '../../../../src/data/source/transport/node-pool.js'
import { type FakeClock, fakeClock } from './fake-clock.js'

function sendTo<T>(pool: NodePool, nodes: readonly string[], ask: (node: string) => Promise<T>): Promise<T> {
  return pool.failOver(({ node }: { readonly node: string }) => ask(node))({ nodes })
}

const [a, b, c] = ['http://a', 'http://b', 'http://c']

/** Nodes whose health a test sets; every question is written down. */
function stage(clock: FakeClock = fakeClock()) {
  const nodes = new NodePool(clock)
  const ill = new Map<string, ErrorCode>()
  const asked: string[] = []
  const ask = async (node: string): Promise<string> => {
    asked.push(node)
    await Promise.resolve()
    const code = ill.get(node)
    if (code) throw new SourceError(code, `${node} is ill`, { node, retryable: true, retryAfter: 7, cause: 'flu' })
    return node
  }
  /** Whom a run asked. */
  const run = async (...order: string[]): Promise<string[]> => {
    asked.length = 0
    await sendTo(nodes, order, ask).catch(() => {})
    return [...asked]
  }
  return { clock, nodes, ill, asked, ask, run }
}

describe('fail-over', () => {
  test('the first node in order answers, and nobody else is asked', async () => {
    const { nodes, ask, asked } = stage()
    expect(await sendTo(nodes, [b, a], ask)).toBe(b)
    expect(asked).toEqual([b])
  })

  test.each(['UNREACHABLE', 'CUT_OFF', 'TIMEOUT'] as const)('%s moves on to the next', async (code) => {
    const { nodes, ill, ask, asked } = stage()
    ill.set(a, code).set(b, code)
    expect(await sendTo(nodes, [a, b, c], ask)).toBe(c)
    expect(asked).toEqual([a, b, c])
  })

  test.each(['UNAVAILABLE', 'FORBIDDEN', 'ENVELOPE', 'SERVICE', 'INVALID_PARAMS'] as const)(
    '%s is an answer: nobody else is asked',
    async (code) => {
      const { nodes, ill, ask, asked } = stage()
      ill.set(a, code)
      await expect(sendTo(nodes, [a, b], ask)).rejects.toMatchObject({ code, message: `${a} is ill` })
      expect(asked).toEqual([a])
    },
  )

  test('an abort is nobody else’s business', async () => {
    const { nodes, run } = stage()
    const reason = new Error('changed my mind')
    for (let n = 0; n < 5; n++) await expect(sendTo(nodes, [a, b], () => Promise.reject(reason))).rejects.toBe(reason)
    expect(await run(a, b)).toEqual([a])
  })

  test('when all fail the last error names all that were tried', async () => {
    const { nodes, ill, ask } = stage()
    ill.set(a, 'TIMEOUT').set(b, 'CUT_OFF').set(c, 'UNREACHABLE')
    const error: unknown = await sendTo(nodes, [a, b, c], ask).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'UNREACHABLE', node: c, retryable: true, retryAfter: 7, cause: 'flu' })
    expect(error).toMatchObject({ message: 'http://c is ill (tried http://a, http://b, http://c)' })
  })

  test('of one node the error is what it was', async () => {
    const { nodes } = stage()
    const error = new SourceError('TIMEOUT', 'late')
    await expect(sendTo(nodes, [a, a], () => Promise.reject(error))).rejects.toBe(error)
  })

  test('no node at all is refused', async () => {
    await expect(sendTo(stage().nodes, [], async () => 1)).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('the breaker', () => {
  test('opens after three failures in a row, not after three in all; an answer that refuses is a sign of health', async () => {
    const { ill, run } = stage()
    for (const health of [
      'TIMEOUT',
      'TIMEOUT',
      '',
      'TIMEOUT',
      'TIMEOUT',
      'UNAVAILABLE',
      'TIMEOUT',
      'TIMEOUT',
    ] as const) {
      if (health === '') ill.delete(a)
      else ill.set(a, health)
      expect((await run(a, b))[0]).toBe(a)
    }
    expect(await run(a, b)).toEqual([a, b])
    expect(await run(a, b)).toEqual([b])
  })

  test('after its rest one trial goes to the node: failing it rests again, success brings the preferred node back', async () => {
    const { clock, ill, run } = stage()
    ill.set(a, 'UNREACHABLE')
    for (let n = 0; n < 3; n++) await run(a, b)
    await clock.pass(29_999)
    expect(await run(a, b)).toEqual([b])
    await clock.pass(1)
    expect(await run(a, b)).toEqual([a, b])
    await clock.pass(29_999)
    expect(await run(a, b)).toEqual([b])
    ill.delete(a)
    await clock.pass(1)
    expect(await run(a, b)).toEqual([a])
    expect(await run(a, b)).toEqual([a])
  })

  test('there is one trial at a time, and an abort ends it', async () => {
    const { clock, nodes, ill, run, asked } = stage()
    ill.set(a, 'UNREACHABLE')
    for (let n = 0; n < 3; n++) await run(a, b)
    await clock.pass(30_000)
    let give = (_: Error): void => {}
    const trial = sendTo(
      nodes,
      [a, b],
      (node) =>
        new Promise((_, reject) => {
          asked.push(node)
          give = reject
        }),
    )
    const ended = expect(trial).rejects.toThrow('changed my mind')
    expect(await run(a, b)).toEqual([b])
    give(new Error('changed my mind'))
    await ended
    ill.delete(a)
    expect(await run(a, b)).toEqual([a])
  })

  test('when all are open the preferred is asked, and its success closes it', async () => {
    const { ill, run } = stage()
    ill.set(a, 'UNREACHABLE').set(b, 'TIMEOUT')
    for (let n = 0; n < 3; n++) await run(a, b)
    expect(await run(a, b)).toEqual([a])
    expect(await run(b, a)).toEqual([b])
    ill.delete(a)
    expect(await run(a, b)).toEqual([a])
    expect(await run(b, a)).toEqual([a])
  })
})
