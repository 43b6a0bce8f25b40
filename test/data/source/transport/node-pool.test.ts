import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../src/contract/error.js'
import { SourceError } from '../../../src/source/source-error.js'
import { NodePool } from '../../../src/source/transport/node-pool.js'
import { type FakeClock, fakeClock } from './fake-clock.js'

function sendTo<T>(pool: NodePool, nodes: readonly string[], ask: (node: string) => Promise<T>): Promise<T> {
  return pool.failOver(({ node }: { readonly node: string }) => ask(node))({ nodes })
}

const [a, b, c] = ['http://a', 'http://b', 'http://c']

/** Nodes whose health a test sets; every question is written down. */
function stage(clock: FakeClock = fakeClock()) {
  const nodes = new NodePool({ clock })
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
  const isOpen = (node: string): boolean | undefined => nodes.state().find((state) => state.node === node)?.open
  return { clock, nodes, ill, asked, ask, run, isOpen }
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
    const { nodes, isOpen } = stage()
    const reason = new Error('changed my mind')
    for (let n = 0; n < 5; n++) await expect(sendTo(nodes, [a, b], () => Promise.reject(reason))).rejects.toBe(reason)
    expect(isOpen(a)).toBe(false)
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
  test('opens after three failures in a row, not after three in all', async () => {
    const { ill, run, isOpen } = stage()
    for (const health of ['ill', 'ill', 'well', 'ill', 'ill']) {
      if (health === 'ill') ill.set(a, 'UNREACHABLE')
      else ill.delete(a)
      await run(a, b)
    }
    expect(isOpen(a)).toBe(false)
    ill.set(a, 'UNREACHABLE')
    expect(await run(a, b)).toEqual([a, b])
    expect(isOpen(a)).toBe(true)
    expect(await run(a, b)).toEqual([b])
  })

  test('an answer that refuses is a sign of health', async () => {
    const { ill, run, isOpen } = stage()
    for (const code of ['TIMEOUT', 'TIMEOUT', 'UNAVAILABLE', 'TIMEOUT', 'TIMEOUT'] as const) {
      ill.set(a, code)
      await run(a, b)
    }
    expect(isOpen(a)).toBe(false)
  })

  test('after its rest one trial goes to the node; success brings the preferred node back', async () => {
    const { clock, ill, run, isOpen } = stage()
    ill.set(a, 'UNREACHABLE')
    for (let n = 0; n < 3; n++) await run(a, b)
    await clock.pass(29_999)
    expect(await run(a, b)).toEqual([b])
    ill.delete(a)
    await clock.pass(1)
    expect(isOpen(a)).toBe(true)
    expect(await run(a, b)).toEqual([a])
    expect(isOpen(a)).toBe(false)
    expect(await run(a, b)).toEqual([a])
  })

  test('a trial that fails opens it for another rest', async () => {
    const { clock, ill, run, isOpen } = stage()
    ill.set(a, 'UNREACHABLE')
    for (let n = 0; n < 3; n++) await run(a, b)
    await clock.pass(30_000)
    expect(await run(a, b)).toEqual([a, b])
    expect(isOpen(a)).toBe(true)
    await clock.pass(29_999)
    expect(await run(a, b)).toEqual([b])
    await clock.pass(1)
    expect(await run(a, b)).toEqual([a, b])
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
    const { ill, run, isOpen } = stage()
    ill.set(a, 'UNREACHABLE').set(b, 'TIMEOUT')
    for (let n = 0; n < 3; n++) await run(a, b)
    expect([isOpen(a), isOpen(b)]).toEqual([true, true])
    expect(await run(a, b)).toEqual([a])
    expect(await run(b, a)).toEqual([b])
    ill.delete(a)
    expect(await run(a, b)).toEqual([a])
    expect([isOpen(a), isOpen(b)]).toEqual([false, true])
  })

  test('failures of requests that began before it opened do not lengthen the rest', async () => {
    const { clock, nodes, ill, run } = stage()
    const late: ((error: SourceError) => void)[] = []
    const began = Array.from({ length: 5 }, () =>
      sendTo(nodes, [a], () => new Promise((_, reject) => late.push(reject))),
    )
    const ended = Promise.allSettled(began)
    ill.set(a, 'UNREACHABLE')
    for (let n = 0; n < 3; n++) await run(a, b)
    await clock.pass(20_000)
    for (const fail of late) fail(new SourceError('TIMEOUT', 'late'))
    await ended
    await clock.pass(10_000)
    expect(await run(a, b)).toEqual([a, b])
  })
})
