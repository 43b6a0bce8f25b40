import type { ECharts } from 'echarts/core'
import type { Language } from '../../../contract/language.js'
import type { Say } from '../../../contract/say.js'
import { sayIn } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { connect, init } from '../echarts.js'
import type { PagePlot } from '../plot.js'
import { layout } from '../plot-layout.js'
import { narrow, type PlotLook } from '../plot-look.js'
import { pageLook, plotOption } from '../plot-option.js'
import { element, readingElement } from './live-elements.js'
import { liveOption, namedPlot, plotPlaces } from './live-option.js'
import { type NamedPoint, namedPoints, nearestPoint, readingOfPoint } from './named-points.js'
import { firstValue, type PlotReading, readingAt } from './plot-reading.js'

/** What the window along x takes below the drawing. */
const sliderRoom = 34

/** Of charts that answer: the still drawing stands in print, and where the script does not run. */
const liveStyle = `.live-chart{position:relative}.live-area{touch-action:pan-y pinch-zoom;-webkit-user-select:none;user-select:none}
.live-area svg{max-width:none}
.live-told{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
.live-title{display:block;margin:0 0 6px}
.live-reading{font-size:13px;line-height:1.35;font-variant-numeric:tabular-nums;min-width:144px;max-width:352px;white-space:normal}
.live-reading b,.live-reading small{display:block}.live-reading small{font-size:11.5px;color:var(--quiet)}.live-reading>span{display:flex;justify-content:space-between;gap:13px}
.live-chart .sign{display:inline-block;width:18px;height:11px;margin-right:6px;vertical-align:-.02em}.live-chart .sign.solid{background:var(--sign)}.live-chart .sign.hollow{border:1.5px solid var(--sign)}
.live-chart .sign.line,.live-chart .sign.dashed{height:0;border-top:2px solid var(--sign);vertical-align:.25em}.live-chart .sign.dashed{border-top-style:dashed}
.live-area:focus-visible{outline:2px solid var(--one);outline-offset:2px}
.is-live{overflow:visible}
@media screen{.is-live>:not(.live-chart,details),.key.of-live{display:none!important}}
@media print{.live-chart{display:none}}
`

const adopted = new Set<string>()

/** The style goes along with the script: a policy that keeps out styles of others lets it. */
export function adoptStyle(style: string): void {
  if (adopted.has(style)) return
  adopted.add(style)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** A chart with a crosshair, a window along x, and series that can be left out: by the library's own parts, and by keys. */
export class LiveChart {
  readonly plot: PagePlot
  readonly #say: Say
  readonly #host: HTMLElement
  readonly #chart: ECharts
  readonly #places: readonly number[]
  /** Points with names are pointed at one by one. */
  readonly #points: readonly NamedPoint[]
  readonly #end = new AbortController()
  readonly #root = element('div', 'live-chart')
  readonly #area = element('div', 'live-area')
  /** What keys have come to, for those who hear it. */
  readonly #told = element('p', 'live-told')
  #look: PlotLook = pageLook
  /** First and last place in view, and that of the crosshair. */
  #window: readonly [from: number, to: number]
  #at: number | undefined
  /** Series by name, and whether they are drawn. */
  #selected: Readonly<Record<string, boolean>> = {}

  constructor(host: HTMLElement, plot: PagePlot, language: Language) {
    adoptStyle(liveStyle)
    this.plot = namedPlot(plot)
    this.#host = host
    this.#say = sayIn(language)
    this.#places = plotPlaces(plot)
    this.#points = namedPoints(plot)
    this.#window = [0, Math.max(0, this.#places.length - 1)]
    const { title, note, isAlone } = plot
    this.#told.setAttribute('aria-live', 'polite')
    if (isAlone && title) this.#root.append(element('strong', 'live-title', title))
    this.#root.append(this.#area, this.#told)
    if (isAlone && note) this.#root.append(element('small', '', note))
    host.prepend(this.#root)
    host.classList.add('is-live')
    // The area takes its place among what tabs reach.
    host.removeAttribute('tabindex')
    this.#describe()
    this.#chart = init(this.#area, null, { renderer: 'svg', width: 10, height: 10 })
    this.#listen()
    // Charts of the same days move together.
    if (!('dates' in plot.x)) return
    this.#chart.group = plot.x.dates.join()
    connect(this.#chart.group)
  }

  /** Ends it; the host is as it was. */
  end(): void {
    this.#end.abort()
    this.#chart.dispose()
    this.#root.remove()
    this.#host.classList.remove('is-live')
  }

  #describe(): void {
    const [area, word] = [this.#area, this.#say('chart')]
    const help = this.#say(
      'Left and right move the crosshair, plus and minus zoom, Escape shows all, digits leave series out.',
    )
    area.tabIndex = 0
    area.setAttribute('role', 'application')
    area.setAttribute('aria-roledescription', word)
    area.setAttribute('aria-label', this.plot.title || word)
    area.setAttribute('aria-description', `${this.plot.desc} ${help}`)
  }

  #listen(): void {
    const { signal } = this.#end
    const size = new ResizeObserver(() => this.#draw())
    size.observe(this.#root)
    signal.addEventListener('abort', () => size.disconnect())
    this.#area.addEventListener('keydown', (event) => this.#key(event), { signal })
    this.#area.addEventListener('blur', () => this.#chart.dispatchAction({ type: 'hideTip' }), { signal })
    this.#area.addEventListener('dblclick', () => this.#zoom(0, this.#places.length - 1), { signal })
    this.#chart.on('datazoom', () => this.#moved())
    if (this.#points.length > 0) this.#pointNearest()
    this.#chart.on('legendselectchanged', (event) => {
      this.#selected = (event as { selected?: Readonly<Record<string, boolean>> }).selected ?? {}
    })
  }

  #read(place: number): PlotReading {
    const say = this.#say
    const panels = this.plot.panels.map((panel) => ({
      ...panel,
      series: panel.series.filter((one) => this.#selected[('name' in one && one.name) || ''] !== false),
    }))
    return readingAt({ ...this.plot, panels }, place, [
      say(fact('LIVE_CHART', 'open')),
      say(fact('LIVE_CHART', 'high')),
      say(fact('LIVE_CHART', 'low')),
      say(fact('LIVE_CHART', 'close')),
    ])
  }

  /** The point nearest to the pointer is told. */
  #pointNearest(): void {
    const area = this.#chart.getZr()
    area.on('mousemove', ({ offsetX: x, offsetY: y }) => this.#tell(nearestPoint(this.#chart, this.#points, { x, y })))
    area.on('globalout', () => this.#tell(undefined))
  }

  #tell(point: NamedPoint | undefined): void {
    const [seriesIndex, dataIndex] = [point?.seriesIndex, point?.dataIndex]
    this.#chart.dispatchAction(point ? { type: 'showTip', seriesIndex, dataIndex } : { type: 'hideTip' })
  }

  readonly #readPoint = (series: number, at: number): HTMLElement => {
    const point = this.#points.find(({ seriesIndex, dataIndex }) => seriesIndex === series && dataIndex === at)
    return point ? readingElement(readingOfPoint(this.plot, point)) : element('div', 'live-reading')
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const last = this.#places.length - 1
    const [from, to] = this.#window
    const step = (by: number): void => this.#point(this.#at === undefined ? (by > 0 ? from : to) : this.#at + by)
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => this.#point(from),
      End: () => this.#point(to),
      '+': () => this.#scale(0.5),
      '=': () => this.#scale(0.5),
      '-': () => this.#scale(2),
      Escape: () => this.#zoom(0, last),
    }
    const series = this.plot.key?.[Number(event.key) - 1]
    const toggle = series && (() => this.#chart.dispatchAction({ type: 'legendToggleSelect', name: series.text }))
    const act = acts[event.key] ?? toggle
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  /** Moves the crosshair to a place, and the window along where it lies outside. */
  #point(at: number): void {
    const [from, to] = this.#window
    this.#at = Math.min(this.#places.length - 1, Math.max(0, at))
    const by = Math.min(0, this.#at - from) + Math.max(0, this.#at - to)
    if (by !== 0) this.#zoom(from + by, to + by)
    const place = this.#places[this.#at]
    if (place === undefined) return
    const point = this.#points.find(({ pair }) => pair[0] === place)
    if (point) {
      this.#tell(point)
      this.#told.replaceChildren(readingElement(readingOfPoint(this.plot, point)))
      return
    }
    const x = Number(this.#chart.convertToPixel({ xAxisIndex: 0 }, place))
    const { tops } = layout(this.plot, this.#look)
    const height = firstValue(this.plot, place)
    const y = height === undefined ? (tops[0] ?? 0) + 1 : Number(this.#chart.convertToPixel({ yAxisIndex: 0 }, height))
    this.#chart.dispatchAction({ type: 'showTip', x, y })
    this.#told.replaceChildren(readingElement(this.#read(place)))
  }

  #scale(by: number): void {
    const [from, to] = this.#window
    const [middle, half] = [this.#at ?? (from + to) / 2, Math.max(2, ((to - from) * by) / 2)]
    this.#zoom(Math.round(middle - half), Math.round(middle + half))
  }

  /** Shows so many places; a window that lies outside is moved in. */
  #zoom(from: number, to: number): void {
    const last = Math.max(0, this.#places.length - 1)
    const length = Math.min(last, Math.max(1, to - from))
    const start = Math.min(Math.max(0, from), last - length)
    const [startValue, endValue] = [this.#places[start], this.#places[start + length]]
    this.#chart.dispatchAction({ type: 'dataZoom', startValue, endValue })
  }

  /** The window was moved, here or in a chart of the same group: its places are labelled as they have room. */
  #moved(): void {
    const [zoom] = this.#chart.getOption().dataZoom as { startValue?: number; endValue?: number }[]
    const [first = 0, last = 0] = [zoom?.startValue, zoom?.endValue]
    const inside = [...this.#places.keys()].filter((at) => {
      const place = this.#places[at] as number
      return place >= first && place <= last
    })
    this.#window = [inside[0] ?? 0, inside.at(-1) ?? 0]
    const { x, panels } = this.plot
    if (!('dates' in x)) return
    const [from, to] = this.#window
    const shown = { ...this.plot, x: { ...x, dates: x.dates.slice(from, to + 1) } }
    const { labels } = layout(shown, this.#look)
    if (!labels) return
    const interval = (at: number): boolean => labels.shows(at - from)
    const axis = { axisTick: { interval }, axisLabel: { interval, formatter: labels.label } }
    this.#chart.setOption({ xAxis: panels.map(() => axis) })
  }

  #draw(): void {
    const width = Math.floor(this.#root.clientWidth)
    if (width === 0 || this.#end.signal.aborted) return
    this.#look = { ...pageLook, font: getComputedStyle(this.#host).fontFamily, width }
    const { height } = layout(this.plot, this.#look)
    const [from, to] = this.#window
    const about = {
      room: sliderRoom,
      window: [this.#places[from] ?? 0, this.#places[to] ?? 0] as const,
      read: (place: number) => readingElement(this.#read(place)),
      readPoint: this.#points.length > 0 ? this.#readPoint : undefined,
      isNarrow: width < narrow,
    }
    this.#chart.resize({ width, height: height + sliderRoom })
    this.#chart.setOption({ ...plotOption(this.plot, this.#look), ...liveOption(this.plot, this.#look, about) }, true)
  }
}
