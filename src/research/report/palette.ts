/**
 * The colours of all that is drawn and shown, on light paper and on dark: pages, charts, chart files, notebooks, the test page. Rises
 * are red and falls are green, as is the custom in China; no series has either.
 */
// biome-ignore format: a table, one colour a line
export const palette = {
  paper: ['#fdfcf9', '#15181c'],
  ink: ['#1d2126', '#e6e4de'],
  quiet: ['#5a626b', '#a7adb4'],
  grid: ['#dfdfda', '#2d3238'],
  rule: ['#c9c9c2', '#434a52'],
  edge: ['#8a9098', '#737b84'],
  soft: ['#f3f2ec', '#1d2126'],
  raised: ['#ffffff', '#1b1f24'],
  one: ['#1d5b96', '#7db3e8'],
  'on-one': ['#ffffff', '#10151a'],
  two: ['#8a5a00', '#e5b95c'],
  three: ['#6a4199', '#bfa3ec'],
  four: ['#5d9a07', '#777531'],
  five: ['#60232e', '#b56f78'],
  six: ['#2288e8', '#6d78ea'],
  seven: ['#8a80a0', '#a047a8'],
  eight: ['#2a2390', '#e86db1'],
  up: ['#b3261e', '#f39a92'],
  down: ['#1f6b3a', '#86cf9f'],
  good: ['#1f6b3a', '#86cf9f'],
  bad: ['#a3201c', '#f39a92'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

const names = Object.keys(palette) as (keyof typeof palette)[]
/** The colours as custom properties, light or dark. */
export const paletteRules = (at: 0 | 1): string => names.map((name) => `--${name}:${palette[name][at]}`).join(';')

/** Light unless dark is asked for, always light on paper. */
export const paletteStyle = `:root{color-scheme:light;${paletteRules(0)}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${paletteRules(1)}}}
`

/** For a page that asks its reader: by its color-scheme. */
export const chosenPalette = `:root{color-scheme:light dark;${names
  .map((name) => `--${name}:light-dark(${palette[name].join()})`)
  .join(';')}}
`
