import type { ECharts } from 'echarts/core'
import { type Language, translatorOf } from '../../../contract/language.js'
import { init } from '../echarts.js'
import { writeNumber } from '../format-number.js'
import type { PagePlot } from '../plot.js'
import { layout, type PlotLook } from '../plot-layout.js'
import { pageLook, plotOption } from '../plot-option.js'
import { liveStyle } from './live-style.js'
import { liveWords } from './live-words.js'
import { readingAt, seriesName, signOf } from './plot-reading.js'
import { plotPlaces, windowOf } from './plot-window.js'

/** Below this width the values stand above the drawing, where no finger hides them. */
const narrow = 560

function element<K extends keyof HTMLElementTagNameMap>(tag: K, look: string, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.className = look
  made.textContent = text
  return made
}

let isStyled = false

/** The style goes along with the script: a policy that keeps out styles of others lets it. */
function adoptStyle(): void {
  if (isStyled) return
  isStyled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(liveStyle)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

type Sign = ReturnType<typeof signOf>

function signElement(sign: Sign): HTMLElement {
  const made = element('i', `sign ${sign?.sign ?? ''}`)
  if (sign) made.style.setProperty('--sign', `var(--${sign.ink})`)
  return made
}

/** A chart with a crosshair, a window along x, and series that can be left out; by mouse, finger and keys. */
export class LiveChart {
  readonly plot: PagePlot
  readonly #say
  readonly #host: HTMLElement
  readonly #chart: ECharts
  readonly #places: readonly number[]
  readonly #hidden = new Set<string>()
  readonly #end = new AbortController()
  readonly #tools = new Map<'earlier' | 'later' | 'closer' | 'wider' | 'all', HTMLButtonElement>()
  readonly #root = element('div', 'live-chart')
  readonly #area = element('div', 'live-area')
  readonly #canvas = element('div', 'live-canvas')
  readonly #reading = element('div', 'live-reading')
  readonly #marks = {
    x: element('div', 'live-x'),
    y: element('div', 'live-y'),
    value: element('div', 'live-value'),
    range: element('div', 'live-range'),
  }
  /** Charts of the same days, which move along. */
  peers: readonly LiveChart[] = []
  /** First and last place in view, and that of the crosshair. */
  #window: readonly [from: number, to: number]
  #at: number | undefined
  #dragFrom: number | undefined
  #look: PlotLook = pageLook
  #shown: PagePlot

  constructor(host: HTMLElement, plot: PagePlot, language: Language) {
    this.plot = plot
    this.#host = host
    this.#say = translatorOf(liveWords, language)
    this.#shown = plot
    this.#places = plotPlaces(plot)
    this.#window = [0, Math.max(0, this.#places.length - 1)]
    const bar = element('div', 'live-bar')
    bar.append(this.#keyOf(), this.#toolbar())
    this.#area.append(this.#canvas, ...Object.values(this.#marks))
    const { title, note, isAlone } = plot
    if (isAlone && title) this.#root.append(element('strong', 'live-title', title))
    this.#root.append(bar, this.#reading, this.#area)
    if (isAlone && note) this.#root.append(element('small', '', note))
    host.prepend(this.#root)
    this.#chart = init(this.#canvas, null, { renderer: 'svg', width: 10, height: 10 })
    this.#describe()
    this.#listen()
    this.#point(undefined)
  }

  /** Ends it; the host is as it was. */
  end(): void {
    this.#end.abort()
    this.#chart.dispose()
    this.#root.remove()
    this.#host.classList.remove('is-live')
  }

  #describe(): void {
    adoptStyle()
    this.#host.classList.add('is-live')
    // The area takes its place among what tabs reach.
    this.#host.removeAttribute('tabindex')
    const area = this.#area
    area.tabIndex = 0
    area.setAttribute('role', 'application')
    area.setAttribute('aria-roledescription', this.#say('chart'))
    area.setAttribute('aria-label', this.plot.title || this.#say('chart'))
    area.setAttribute('aria-description', `${this.plot.desc} ${this.#say('help')}`)
    this.#canvas.setAttribute('aria-hidden', 'true')
    this.#canvas.title = this.#say('hint')
  }

  /** The named series as buttons. */
  #keyOf(): HTMLElement {
    const all = this.plot.panels.flatMap(({ series }) => series)
    const signs = new Map<string, Sign>(this.plot.key?.map(({ text, ...sign }) => [text, sign]))
    for (const one of all) {
      const name = seriesName(one, this.plot)
      if (name !== undefined && !signs.has(name)) signs.set(name, signOf(one))
    }
    const key = element('div', 'live-key')
    key.setAttribute('role', 'group')
    key.setAttribute('aria-label', this.#say('series'))
    key.hidden = signs.size === 0
    for (const [name, sign] of signs) {
      const button = element('button', '')
      button.type = 'button'
      button.append(signElement(sign), name)
      button.setAttribute('aria-pressed', 'true')
      button.onclick = () => {
        if (!this.#hidden.delete(name)) this.#hidden.add(name)
        button.setAttribute('aria-pressed', String(!this.#hidden.has(name)))
        this.#draw()
      }
      key.append(button)
    }
    return key
  }

  #toolbar(): HTMLElement {
    const bar = element('div', 'live-tools')
    const tools = [
      ['earlier', '‹', () => this.#move(-0.5)],
      ['later', '›', () => this.#move(0.5)],
      ['closer', '+', () => this.#scale(0.5)],
      ['wider', '−', () => this.#scale(2)],
      ['all', '↔', () => this.#zoom(0, this.#places.length - 1)],
    ] as const
    for (const [word, sign, act] of tools) {
      const button = element('button', '', sign)
      button.type = 'button'
      button.title = this.#say(word)
      button.setAttribute('aria-label', this.#say(word))
      button.onclick = act
      this.#tools.set(word, button)
      bar.append(button)
    }
    return bar
  }

  #listen(): void {
    const { signal } = this.#end
    const size = new ResizeObserver(() => this.#draw())
    size.observe(this.#canvas)
    signal.addEventListener('abort', () => size.disconnect())
    const on = <K extends keyof HTMLElementEventMap>(
      target: HTMLElement,
      type: K,
      act: (event: HTMLElementEventMap[K]) => void,
    ): void => target.addEventListener(type, act as EventListener, { signal })
    on(this.#canvas, 'pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button === 0) {
        this.#dragFrom = this.#xOf(event)
        this.#canvas.setPointerCapture(event.pointerId)
      } else if (event.pointerType !== 'mouse') this.#follow(event)
    })
    on(this.#canvas, 'pointermove', (event) => this.#follow(event))
    on(this.#canvas, 'pointerup', (event) => this.#drop(event))
    on(this.#canvas, 'pointercancel', () => this.#drop(undefined))
    on(this.#canvas, 'pointerleave', (event) => {
      if (event.pointerType === 'mouse' && this.#dragFrom === undefined) this.#point(undefined)
    })
    on(this.#canvas, 'dblclick', () => this.#zoom(0, this.#places.length - 1))
    on(this.#area, 'keydown', (event) => this.#key(event))
    on(this.#area, 'blur', () => this.#point(undefined))
  }

  #xOf(event: MouseEvent): number {
    return event.clientX - this.#canvas.getBoundingClientRect().left
  }

  #follow(event: PointerEvent): void {
    const x = this.#xOf(event)
    this.#reading.setAttribute('aria-live', 'off')
    if (this.#dragFrom !== undefined) {
      const [left, right] = [Math.min(x, this.#dragFrom), Math.max(x, this.#dragFrom)]
      this.#place(this.#marks.range, { left, width: right - left, ...this.#span() })
    }
    this.#point(this.#placeAt(x))
    this.#level(event.clientY - this.#canvas.getBoundingClientRect().top, event.pointerType === 'mouse')
  }

  #drop(event: PointerEvent | undefined): void {
    const from = this.#dragFrom
    this.#dragFrom = undefined
    this.#marks.range.hidden = true
    if (from === undefined || !event) return
    const x = this.#xOf(event)
    if (Math.abs(x - from) < 8) return
    const [first, last] = [this.#placeAt(Math.min(x, from)), this.#placeAt(Math.max(x, from))]
    if (first !== undefined && last !== undefined && last > first) this.#zoom(first, last)
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const last = this.#places.length - 1
    const [from, to] = this.#window
    const step = (by: number): void => {
      const at = this.#at === undefined ? (by > 0 ? from : to) : Math.min(last, Math.max(0, this.#at + by))
      if (at < from || at > to) this.#zoom(from + by, to + by)
      this.#reading.setAttribute('aria-live', 'polite')
      this.#point(at)
    }
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
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    this.#marks.y.hidden = true
    this.#marks.value.hidden = true
    act()
  }

  /** The place that is nearest to a pixel. */
  #placeAt(x: number): number | undefined {
    const found = Number(this.#chart.convertFromPixel({ xAxisIndex: 0 }, x))
    const [from, to] = this.#window
    if (Number.isNaN(found) || this.#places.length === 0) return undefined
    const within = (place: number): number => Math.min(to, Math.max(from, place))
    if ('dates' in this.plot.x) return within(from + Math.round(found))
    const after = this.#places.findIndex((place) => place >= found)
    if (after <= 0) return within(after < 0 ? to : 0)
    const [before, next] = [this.#places[after - 1] as number, this.#places[after] as number]
    return within(found - before < next - found ? after - 1 : after)
  }

  /** From the top of the first panel to the foot of the last. */
  #span(): { readonly top: number; readonly height: number } {
    const { tops, heights } = layout(this.#shown, this.#look)
    const [first = 0, last = 0] = [tops[0], tops.at(-1)]
    return { top: first, height: last + (heights.at(-1) ?? 0) - first }
  }

  #place(mark: HTMLElement, at: Readonly<Partial<Record<'left' | 'top' | 'width' | 'height', number>>>): void {
    mark.hidden = false
    for (const [name, pixels] of Object.entries(at)) mark.style.setProperty(name, `${pixels}px`)
  }

  /** The level under the pointer, with its value beside the axis. */
  #level(y: number, isMouse: boolean): void {
    const { tops, heights, left, right, width } = layout(this.#shown, this.#look)
    const panel = tops.findIndex((top, i) => y >= top && y <= top + (heights[i] ?? 0))
    this.#marks.y.hidden = this.#marks.value.hidden = panel < 0 || !isMouse
    if (panel < 0 || !isMouse) return
    const value = Number(this.#chart.convertFromPixel({ yAxisIndex: panel }, y))
    this.#marks.value.textContent = writeNumber(Number(value.toPrecision(5)), this.#shown.panels[panel]?.format)
    this.#place(this.#marks.y, { left, top: y, width: width - left - right })
    this.#place(this.#marks.value, { left, top: y })
  }

  /** Moves the crosshair here and in the charts of the same days. */
  #point(at: number | undefined): void {
    for (const one of [this, ...this.peers]) one.#cross(at)
    if (at === undefined) this.#marks.y.hidden = this.#marks.value.hidden = this.#marks.range.hidden = true
  }

  #cross(at: number | undefined): void {
    const isNarrow = this.#look.width < narrow
    const shown = at ?? (isNarrow ? this.#window[1] : undefined)
    this.#at = at
    this.#reading.classList.toggle('floats', !isNarrow)
    this.#marks.x.hidden = at === undefined
    this.#reading.hidden = shown === undefined
    const place = shown === undefined ? undefined : this.#places[shown]
    if (place === undefined) return
    this.#read(place)
    if (at === undefined) return
    const own = 'dates' in this.plot.x ? place - this.#window[0] : place
    const x = Number(this.#chart.convertToPixel({ xAxisIndex: 0 }, own))
    this.#place(this.#marks.x, { left: x, ...this.#span() })
    if (isNarrow) return
    const { width } = this.#look
    const left = x > width / 2 ? x - this.#reading.offsetWidth - 14 : x + 14
    this.#place(this.#reading, {
      left: Math.max(0, Math.min(left, width - this.#reading.offsetWidth)),
      top: this.#area.offsetTop + this.#span().top,
    })
  }

  #read(place: number): void {
    const words = (['open', 'high', 'low', 'close'] as const).map((word) => this.#say(word))
    const said = readingAt(this.#visible(), place, words)
    const rows = said.panels.flatMap(({ name, rows: own }) => {
      const isPlain = own.length === 1 && own[0]?.name === ''
      const heads = isPlain || name === '' ? [] : [element('small', '', name)]
      const lines = own.map((row) => {
        const [line, label] = [element('span', ''), element('span', '')]
        label.append(...(row.sign ? [signElement(row.sign)] : []), isPlain ? name : row.name)
        line.append(label, element('strong', '', row.text))
        return line
      })
      return [...heads, ...lines]
    })
    this.#reading.replaceChildren(element('b', '', said.place), ...rows)
  }

  /** The plot without the series that were switched off. */
  #visible(): PagePlot {
    const panels = this.plot.panels.map((panel) => ({
      ...panel,
      series: panel.series.filter((one) => !this.#hidden.has(seriesName(one, this.plot) ?? '')),
    }))
    return { ...this.plot, panels }
  }

  #scale(by: number): void {
    const [from, to] = this.#window
    const middle = this.#at ?? (from + to) / 2
    const half = Math.max(2, ((to - from) * by) / 2)
    this.#zoom(Math.round(middle - half), Math.round(middle + half))
  }

  #move(share: number): void {
    const [from, to] = this.#window
    const by = Math.round((to - from + 1) * share)
    this.#zoom(from + by, to + by)
  }

  /** Shows so many places, here and in the charts of the same days; a window that lies outside is moved in. */
  #zoom(from: number, to: number): void {
    const last = Math.max(0, this.#places.length - 1)
    const length = Math.min(last, Math.max(1, to - from))
    const start = Math.min(Math.max(0, from), last - length)
    for (const one of [this, ...this.peers]) {
      one.#window = [start, start + length]
      one.#draw()
    }
  }

  #draw(): void {
    const width = Math.floor(this.#canvas.clientWidth)
    if (width === 0 || this.#end.signal.aborted) return
    const [from, to] = this.#window
    const font = getComputedStyle(this.#host).fontFamily
    this.#look = { ...pageLook, font, width, hasNoLegend: true }
    this.#shown = windowOf(this.#visible(), from, to)
    this.#chart.resize({ width, height: layout(this.#shown, this.#look).height })
    // From nothing, so that the same window is the same drawing.
    this.#chart.clear()
    this.#chart.setOption(plotOption(this.#shown, this.#look), true)
    const isAll = from === 0 && to >= this.#places.length - 1
    for (const word of ['wider', 'all'] as const) (this.#tools.get(word) as HTMLButtonElement).disabled = isAll
    ;(this.#tools.get('earlier') as HTMLButtonElement).disabled = from === 0
    ;(this.#tools.get('later') as HTMLButtonElement).disabled = to >= this.#places.length - 1
    ;(this.#tools.get('closer') as HTMLButtonElement).disabled = to - from < 2
    this.#cross(this.#at !== undefined && this.#at >= from && this.#at <= to ? this.#at : undefined)
  }
}

/** Charts of the same days move together. */
export function linkCharts(charts: readonly LiveChart[]): void {
  const keyOf = ({ plot }: LiveChart): string | undefined => ('dates' in plot.x ? plot.x.dates.join() : undefined)
  for (const one of charts) {
    const key = keyOf(one)
    one.peers = key === undefined ? [] : charts.filter((other) => other !== one && keyOf(other) === key)
  }
}
