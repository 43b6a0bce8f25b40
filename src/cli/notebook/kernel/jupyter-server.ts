import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import root from '#root'
import type { Say } from '../../../contract/say.js'
import { received } from '../../../contract/sentence.js'
import { failureName, failureText } from '../failure-text.js'
import { CellRunner, type PlacedFailure } from './cell-runner.js'
import { takeStreams } from './cell-streams.js'
import { ChartOutputs } from './chart-outputs.js'
import { type ControlData, type ControlWord, controlState } from './control-state.js'
import { kernelInfo } from './kernel-info.js'
import { RunningLine } from './running-line.js'
import type { DisplayContent, Tslab } from './tslab.js'
import { answerTo, type KernelConnection, type Message, readMessage } from './wire.js'
import { bind, type Socket, type Zmq } from './zmq.js'

/** Milliseconds in which cells that were sent before a failure arrive. */
const lateCells = 20

/** Milliseconds after the last answer of what it is until the compiler is loaded, unless a cell comes first: front ends ask until they hear both sockets. */
const readyFirst = 400

const count = (text: string): number => [...text].length

/** Jupyter counts characters, JavaScript halves of them. */
function positionIn(code: string, cursor: unknown): number {
  return Array.from(code).slice(0, Number(cursor)).join('').length
}

/** Place of the name that is called where a code ends: within `show(bonds, ` that of `show`. */
function calledIn(code: string): number {
  let open = 0
  for (let at = code.length - 1; at > 0; at--) {
    if (code[at] === ')') open++
    if (code[at] === '(' && open-- === 0) return at - 1
  }
  return 0
}

/** A kernel as Jupyter's protocol has it, over the cells of a runner. */
export class JupyterServer {
  readonly #tslab: Tslab
  readonly #connection: KernelConnection
  readonly #say: Say
  #made: CellRunner | undefined
  readonly #folder: string
  readonly #shell: Socket
  readonly #iopub: Socket
  readonly #stdin: Socket
  readonly #state = new Int32Array(new SharedArrayBuffer(12))
  readonly #control: Worker
  /** Which message asked for a cell, by the number that the cell has among all that ran. */
  readonly #asked = new Map<number, Message>()
  readonly #charts: ChartOutputs
  readonly #waiting: Message[] = []
  #isRunning = false
  #progress: RunningLine | undefined
  /** Numbers that cells show; a silent one has none. */
  #count = 0
  #failures: PlacedFailure[] = []
  #warming: NodeJS.Timeout | undefined

  constructor(tslab: Tslab, folder: string, connection: KernelConnection, say: Say) {
    this.#tslab = tslab
    this.#folder = folder
    this.#connection = connection
    this.#say = say
    this.#charts = new ChartOutputs(say.language)
    const zmq = tslab.resolve('zeromq')
    const { Publisher, Router } = require(zmq) as Zmq
    this.#iopub = Object.assign(new Publisher(), { sendHighWaterMark: 0 })
    this.#shell = new Router()
    this.#stdin = new Router()
    const workerData: ControlData = { connection, zmq, state: this.#state }
    this.#control = new Worker(join(root, 'dist/lib/kernel-control.cjs'), { workerData, execArgv: [] })
  }

  /** Made once the kernel has answered what it is: its compiler takes most of the start. */
  get #cells(): CellRunner {
    this.#made ??= new CellRunner(this.#tslab, this.#folder, {
      failed: (failure) => this.#failed(failure),
      more: (_, message) => this.#more(message),
      protect: (work) => this.protect(work),
      progress: (step) => {
        if (this.#cells.here === this.#asked.size) this.#progress?.tell(step)
      },
    })
    return this.#made
  }

  /** Does work that an interrupt must not end midway. */
  protect<T>(work: () => T): T {
    Atomics.add(this.#state, controlState.protected, 1)
    try {
      return work()
    } finally {
      Atomics.sub(this.#state, controlState.protected, 1)
    }
  }

  async start(): Promise<void> {
    this.#control.on('message', (word: ControlWord) => {
      if (word === 'shutdown') process.exit()
      if (word !== 'interrupt') return
      Atomics.store(this.#state, controlState.taken, 1)
      this.#cells.interrupt()
    })
    process.on('SIGINT', () => this.#cells.interrupt())
    process.on('exit', () => {
      this.#control.postMessage('close')
      Atomics.wait(this.#state, controlState.closed, 0, 1000)
    })
    this.#takeOutputs()
    await bind(this.#iopub, this.#connection, this.#connection.iopub_port)
    await bind(this.#stdin, this.#connection, this.#connection.stdin_port)
    await bind(this.#shell, this.#connection, this.#connection.shell_port)
    for await (const frames of this.#shell) {
      const message = readMessage(this.#connection.key, frames)
      if (message) this.#take(message)
    }
  }

  /** What a cell puts out goes to who asked for it, also after its end. */
  #takeOutputs(): void {
    takeStreams((name, text) => {
      if (this.#asked.size === 0) return false
      this.#put('stream', () => ({ name, text }))
      return true
    })
    this.#tslab.jupyter.lastWriteDisplayData = (content: DisplayContent, update) =>
      this.#put(update ? 'update_display_data' : 'display_data', (message) => {
        return { metadata: {}, ...content, data: this.#charts.shown(content.data, message) }
      })
  }

  #put(type: string, contentFor: (message: Message) => object): void {
    const cell = this.#cells.here
    const asked = this.#asked.get(cell)
    if (asked && !this.#cells.isEnded(cell)) this.#publish(asked, type, contentFor(asked))
  }

  /** At once, since code that is terminated takes all microtasks along: these sockets never wait. */
  #send(socket: Socket, frames: readonly (string | Buffer)[]): void {
    socket.send(frames).catch(() => undefined)
  }

  #publish(parent: Message, type: string, content: object): void {
    this.#send(this.#iopub, answerTo(this.#connection.key, parent, type, content, type))
  }

  #reply(parent: Message, type: string, content: object): void {
    this.#send(this.#shell, answerTo(this.#connection.key, parent, type, content))
  }

  #take(message: Message): void {
    const { msg_type: type } = message.header
    if (type === 'execute_request') {
      this.#waiting.push(message)
      if (!this.#isRunning) void this.#runAll()
      return
    }
    this.#publish(message, 'status', { execution_state: 'busy' })
    const content = this.#answer(type, message.content)
    if (content) this.#reply(message, type.replace(/_request$/, '_reply'), content)
    this.#publish(message, 'status', { execution_state: 'idle' })
  }

  /** What is answered at once; undefined if the kernel has no answer. */
  #answer(type: string, content: Message['content']): object | undefined {
    const code = String(content['code'] ?? '')
    const position = positionIn(code, content['cursor_pos'] ?? count(code))
    switch (type) {
      case 'kernel_info_request':
        clearTimeout(this.#warming)
        this.#warming = setTimeout(() => this.#cells.warmUp(), readyFirst)
        return kernelInfo
      case 'is_complete_request': {
        const { completed, indent = '' } = this.#tslab.isCompleteCode(code)
        return completed ? { status: 'complete' } : { status: 'incomplete', indent }
      }
      case 'inspect_request': {
        const info = this.#cells.inspect(code, position) ?? this.#cells.inspect(code, calledIn(code.slice(0, position)))
        const data = info ? { 'text/plain': this.#tslab.printQuickInfo(info) } : {}
        return { status: 'ok', found: Boolean(info), data, metadata: {} }
      }
      case 'complete_request': {
        const { start, end, candidates } = this.#cells.complete(code, position)
        const at = (index: number): number => count(code.slice(0, index))
        // Names of danfo's own come after those of columns.
        const matches = [...candidates].sort((a, b) => Number(a.startsWith('$')) - Number(b.startsWith('$')))
        return { status: 'ok', matches, cursor_start: at(start), cursor_end: at(end), metadata: {} }
      }
      case 'comm_info_request':
        return { status: 'ok', comms: {} }
      case 'history_request':
        return { status: 'ok', history: [] }
      default:
        return undefined
    }
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const isFailed = await this.#run(next)
      if (!isFailed || next.content['stop_on_error'] === false) continue
      for (const message of this.#waiting.splice(0)) {
        this.#publish(message, 'status', { execution_state: 'busy' })
        this.#reply(message, 'execute_reply', { status: 'aborted' })
        this.#publish(message, 'status', { execution_state: 'idle' })
      }
    }
    this.#isRunning = false
  }

  /** Runs a cell and answers; whether it failed. */
  async #run(message: Message): Promise<boolean> {
    const code = String(message.content['code'] ?? '')
    const isSilent = message.content['silent'] === true
    const cell = this.#asked.size + 1
    this.#asked.set(cell, message)
    this.#charts.begin(message)
    this.#failures = []
    if (!isSilent) this.#count++
    const counted = { execution_count: this.#count }
    this.#publish(message, 'status', { execution_state: 'busy' })
    if (!isSilent) this.#publish(message, 'execute_input', { code, ...counted })
    const progress = new RunningLine(`progress-${message.header.msg_id}`, (kind, content) =>
      this.#publish(message, kind, content),
    )
    this.#progress = progress
    await this.#cells.execute(cell, code)
    progress.end()
    const [first] = this.#failures
    if (first) {
      this.#publish(message, 'error', this.#error(this.#failures))
      await new Promise((resolve) => setTimeout(resolve, lateCells))
      this.#reply(message, 'execute_reply', { status: 'error', ...this.#error(this.#failures), ...counted })
    } else {
      this.#reply(message, 'execute_reply', { status: 'ok', ...counted, payload: [], user_expressions: {} })
    }
    this.#publish(message, 'status', { execution_state: 'idle' })
    return first !== undefined
  }

  /** A failure of the cell that runs is told at its end, one of an earlier cell at once. */
  #failed(failure: PlacedFailure): void {
    const asked = this.#asked.get(failure.cell)
    if (this.#isRunning && failure.cell === this.#asked.size) this.#failures.push(failure)
    else if (asked) this.#publish(asked, 'error', this.#error([failure]))
  }

  #more(message: string): void {
    const last = this.#failures.pop()
    if (last) this.#failures.push({ ...last, more: [...(last.more ?? []), message] })
  }

  #error(failures: readonly PlacedFailure[]): object {
    const [first] = failures as [PlacedFailure]
    return {
      ename: failureName(first),
      evalue: this.#say(received(first.message)),
      traceback: failures.map((failure) => failureText(failure, this.#say)),
    }
  }
}
