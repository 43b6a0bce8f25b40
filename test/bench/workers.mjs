import { serve, turns, withArchive } from './service.mjs'

export const question = `two service processes against one, log on, 64 connections; wrk and whatever else runs take their part of the same cores,
  so that on two of them small answers, of which wrk costs as much as the service, can gain little; seven turns of 2 s, medians`

export function measure({ dist, load }) {
  return withArchive(load, async ({ archive, opened, asked: [same, , , wide] }) => {
    // It gives its address once its workers all listen.
    const begin = (workers) => opened(serve(dist, archive, ['--workers', String(workers)]))
    const servers = { one: await begin(1), two: await begin(2) }
    const out = []
    for (const [{ name, file }, goal] of [
      [same, 1.1],
      [wide, 0.8],
    ]) {
      const { one, two } = await turns(servers, file, 64)
      out.push({ what: `${name}, a request`, time: 1e6 / two.rate, against: 1e6 / one.rate, goal, unit: 'µs' })
      out.push({ what: `${name}, p99`, time: two.p99, against: one.p99, goal: goal + 0.4 })
    }
    return out
  })
}
