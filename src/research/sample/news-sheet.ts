import { newsSources } from '../../contract/catalogue/news.js'
import { hostileHeadlines, hostileNewsSummaries } from './hostile-texts.js'
import { below, drawsFrom, fork } from './random.js'
import { clock, type Day, dashed } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'
import { fashions, fillBlanks, headlines } from './sample-texts.js'

type Row = WholeRow<'news'>
type Source = (typeof newsSources)[number]

/** The service keeps recent news only. */
const kept = 5
const perSource = 15
const collectEvery = 20 * 60
const lastCollection = 22 * 3600 + 20 * 60

const about: Readonly<Record<Source, { readonly name: string; readonly type: string }>> = {
  cls_depth_1000: { name: '云汀财讯·头条', type: 'depth' },
  cls_depth_1003: { name: '云汀财讯·股市', type: 'depth' },
  cls_hot_article: { name: '云汀财讯·热门', type: 'hot' },
  yicai_home: { name: '星渚财经', type: 'article' },
}

const hostileTopics = hostileHeadlines.map((title) => ({ title, bodies: hostileNewsSummaries, from: 0 }))

/**
 * Headline and summary of a record. What is told twice on a day, at one source or at several, is the same story with
 * the same names and figures.
 */
function storyOf(
  sample: Sample,
  root: number,
  day: Day,
  seconds: number,
  place: number,
): [title: string, body: string] {
  const topics = sample.hostile ? [...headlines, ...hostileTopics] : headlines
  const timely = topics.filter(({ from }) => seconds >= from)
  const topic = timely[(below(root, topics.length) + place) % timely.length] as (typeof timely)[number]
  const draw = drawsFrom(fork(fork(fork(sample.seed, 'story'), day.t), topic.title))
  const [name, theme] = [draw.pick(sample.stocks).plainName, draw.pick(fashions)]
  const given = { name, theme }
  return [fillBlanks(topic.title, draw, given), fillBlanks(draw.pick(topic.bodies), draw, given)]
}

function rowOf(sample: Sample, root: number, source: Source, day: Day, place: number): Row {
  const own = fork(fork(root, source), day.t)
  const { int, once } = drawsFrom(fork(own, place))
  const seconds = int(7 * 3600, 22 * 3600)
  const collected = Math.ceil(seconds / collectEvery) * collectEvery
  const date = dashed(day.date)
  const display_at = `${date}T${clock(seconds)}`
  const [title, summary] = storyOf(sample, own, day, seconds, place)
  const id = `${day.date}${String(place).padStart(4, '0')}`
  const page = `https://example.invalid/news/${id}`
  return {
    published_at: once(10) ? null : display_at,
    display_at,
    time_label: once(12) ? null : clock(seconds).slice(0, 5),
    source,
    source_name: about[source].name,
    title,
    summary: once(3) ? null : summary,
    url: once(8) ? null : sample.hostile ? `${page}?from=a&to="b"` : `${page}.html`,
    image: once(2) ? null : `https://example.invalid/image/${id}.png`,
    rank: source === 'cls_hot_article' ? place + 1 : null,
    source_id: id,
    item_type: about[source].type,
    updated_at: `${date}T${clock(collected)}`,
  }
}

/** Headlines of the last five trading days: four sources, fifteen a day each. */
export const newsSheet = wholeSheetOf(
  'news',
  (sample) => sample.days.slice(-kept),
  (sample, days) => {
    const root = fork(sample.seed, 'news')
    const places = [...Array(perSource).keys()]
    return days.flatMap((day) =>
      newsSources.flatMap((source) => places.map((place) => rowOf(sample, root, source, day, place))),
    )
  },
)

/** What stands beside the rows of the news reply (section 2.2). */
export interface NewsMeta {
  readonly updated_at: string
  readonly upstream_collected_at: string
  readonly upstream_etag: string
  readonly upstream_snapshot_date: string
  readonly upstream_stale_sources: readonly string[]
  readonly upstream_status: 'complete'
}

/** The meta object of the sample's news: collected at 22:20 of its latest day, published five minutes later. */
export function newsMetaOf(sample: Sample): NewsMeta {
  const date = dashed(sample.latest.date)
  const own = fork(fork(sample.seed, 'etag'), sample.latest.t)
  const hex = (part: number): string => (fork(own, part) >>> 0).toString(16).padStart(8, '0')
  return {
    updated_at: `${date}T${clock(lastCollection + 300)}`,
    upstream_collected_at: `${date}T${clock(lastCollection)}+08:00`,
    upstream_etag: `"${hex(0)}${hex(1)}${hex(2)}${hex(3)}"`,
    upstream_snapshot_date: date,
    upstream_stale_sources: [],
    upstream_status: 'complete',
  }
}
