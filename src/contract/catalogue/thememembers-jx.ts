import type { Dataset } from '../dataset.js'

export const thememembersJx = {
  name: 'thememembers_jx',
  title: 'Curated sector members',
  about: 'The present stock pool of each curated sector. No history: using it for the past is look-ahead.',
  shape: 'rows',
  columns: {
    theme_symbol: { kind: 'code', isOwn: true, meaning: 'Code of a first- or second-level sector.' },
    symbols: { kind: 'texts', meaning: 'Stock codes of the sector, ascending.' },
  },
  // biome-ignore format: a table, one column a line
  stored: {
    level: { kind: 'label', values: ['parent', 'child'], meaning: 'First-level (parent) or second-level (child) sector.', from: 'given' },
    snapshot_date: { kind: 'date', meaning: 'Day of the snapshot; the newest is the present one.', from: 'given', key: true },
  },
  key: ['theme_symbol'],
  order: ['theme_symbol'],
  // biome-ignore format: a table, one param a line
  params: {
    level: { kind: 'choice', role: 'own', values: ['parent', 'child'], meaning: 'First-level or second-level sectors; absent, first-level. Without effect beside theme_symbols.' },
    theme_symbols: { kind: 'codes', role: 'own', columns: ['theme_symbol'], meaning: 'Sector codes of either level; the level is detected.' },
    symbols: { kind: 'codes', role: 'own', columns: ['symbols'], meaning: 'Stock codes: sectors that hold any of them, each with its full list.' },
  },
  noFields: true,
  limit: { kind: 'none' },
  knownAt: { fetched: true, note: 'no history is kept: a pool is known when it was fetched' },
  archiveDay: 'snapshot_date',
  instruments: 'stock',
  partition: 'day',
  archiveRule: 'sectors',
  load: { kind: 'each', param: 'level' },
  snapshot: { each: 'level' },
  nodes: 'production',
  rules: ['Takes no `fields`.', 'In danfo a list of codes is one comma-separated string.'],
  subject: 'lists',
  valueTitles: { parent: 'first level', child: 'second level' },
  example: { level: 'child', symbols: ['000001'] },
} as const satisfies Dataset
