import type { Dataset } from '../dataset.js'

export const newsSources = ['cls_depth_1000', 'cls_depth_1003', 'cls_hot_article', 'yicai_home'] as const

export const news = {
  name: 'news',
  title: 'Aggregated news',
  about: 'Mainstream financial news, collected every 20 minutes and published about 5 minutes later.',
  shape: 'rows',
  columns: {
    published_at: { kind: 'moment', nullable: true, meaning: 'Time printed by the source, YYYY-MM-DDTHH:MM:SS.' },
    display_at: { kind: 'moment', meaning: 'Beijing time that all sources are sorted by, YYYY-MM-DDTHH:MM:SS.' },
    time_label: { kind: 'label', nullable: true, meaning: 'Short time shown on pages, HH:MM.' },
    source: { kind: 'label', meaning: 'Stable code of the source.' },
    source_name: { kind: 'label', meaning: 'Chinese name of the source.' },
    title: { kind: 'text', meaning: 'Headline.' },
    summary: { kind: 'text', nullable: true, meaning: 'Summary; null when the source gives none.' },
    url: { kind: 'text', nullable: true, meaning: 'Address of the article; null when the source gives none.' },
    image: { kind: 'text', nullable: true, meaning: 'Address of the cover picture; null when the source gives none.' },
    rank: { kind: 'integer', nullable: true, meaning: "Place in the source's own list." },
    source_id: { kind: 'id', meaning: 'Id of the record at its source.' },
    item_type: { kind: 'label', meaning: 'Type of content at the source.' },
    updated_at: { kind: 'moment', meaning: 'When the snapshot that holds the record was collected.' },
  },
  // biome-ignore format: a table, one column a line
  meta: {
    updated_at: { kind: 'moment', meaning: 'Time of the last update, `YYYY-MM-DDTHH:MM:SS`.' },
    upstream_collected_at: { kind: 'moment', meaning: 'Upstream collection, ISO 8601 with offset.' },
    upstream_etag: { kind: 'id', meaning: 'Upstream entity tag, quoted hexadecimal.' },
    upstream_snapshot_date: { kind: 'text', meaning: 'Snapshot date, `YYYY-MM-DD`.' },
    upstream_stale_sources: { kind: 'texts', meaning: 'Sources with stale data; an answer that has some is not whole.' },
    upstream_status: { kind: 'label', meaning: '`complete`; under any other word an answer is not whole.' },
  },
  key: ['source', 'source_id'],
  age: 'updated_at',
  order: ['-display_at', 'source', 'source_id'],
  // biome-ignore format: a table, one param a line
  params: {
    limit: { kind: 'integer', role: 'limit', min: 1, max: 500, default: 100, meaning: 'Most records of the list, or of each source group.' },
    view: { kind: 'choice', role: 'own', values: ['time', 'source'], default: 'time', meaning: '`time`: one list, newest first. `source`: a group for each source, newest first inside.' },
    sources: { kind: 'choices', role: 'match', values: newsSources, columns: ['source'], meaning: 'Sources wanted; all when absent.' },
    keyword: { kind: 'text', role: 'search', columns: ['title', 'summary'], meaning: 'Text in title or summary.' },
  },
  limit: { kind: 'newest', default: 100, max: 500 },
  knownAt: { moment: 'updated_at', delayMinutes: 5, note: 'about 5 minutes after its snapshot was collected' },
  renewed: { minutes: [5, 25, 45] },
  archiveDay: 'display_at',
  partition: 'day',
  archiveRule: 'news',
  load: { kind: 'once' },
  snapshot: {},
  nodes: 'intraday',
  rules: ['At most `limit` records, the newest; older ones can not be asked for.'],
  // biome-ignore format: a table, one law a line
  laws: [
    { code: 'NEWS_TIME', rule: 'time', law: 'published_at is a local time or null' },
    { code: 'NEWS_DISPLAY_TIME', rule: 'time', law: 'display_at is a local time' },
    { code: 'NEWS_SNAPSHOT_TIME', rule: 'time', law: 'updated_at is a time of the vendor' },
    { code: 'NEWS_LABEL', rule: 'time', law: 'time_label is a clock time or null' },
    { code: 'NEWS_SOURCE', rule: 'source', law: 'source is one of the sources', verdict: 'warn' },
    { code: 'NEWS_TITLE', rule: 'title', law: 'title is a text' },
    { code: 'NEWS_RANK', rule: 'rank', law: 'rank is a place in a list or null' },
    { code: 'NEWS_ADDRESS', rule: 'address', law: 'url, image is an address or null', verdict: 'warn' },
  ],
  subject: 'documents',
  valueTitles: { time: 'by time', source: 'by source' },
  example: { view: 'time', sources: ['yicai_home'], limit: 20 },
} as const satisfies Dataset
