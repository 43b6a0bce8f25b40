/**
 * The control channel and the heartbeat of a kernel, in a thread: they answer while a cell computes. An interrupt is handed to
 * the kernel; if its event loop does not take it, since code runs without end, that code is terminated.
 */

import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { type ControlData, type ControlWord, controlState } from './control-state.js'
import { kernelInfo } from './kernel-info.js'
import { answerTo, readMessage } from './wire.js'
import { bind, type Zmq } from './zmq.js'

/** Milliseconds that the kernel has to take an interrupt, and to end. */
const patience = 150
const lastPatience = 2000

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const toKernel = (word: ControlWord): void => parentPort?.postMessage(word)

function terminate(): void {
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.terminateExecution', () => session.disconnect())
}

async function interrupt(state: Int32Array): Promise<void> {
  Atomics.store(state, controlState.taken, 0)
  toKernel('interrupt')
  for (;;) {
    await sleep(patience)
    if (Atomics.load(state, controlState.taken) === 1) return
    if (Atomics.load(state, controlState.protected) === 0) terminate()
  }
}

async function serve({ connection, zmq, state }: ControlData): Promise<void> {
  const { Reply, Router } = require(zmq) as Zmq
  const [control, heart] = [new Router(), new Reply()]
  await bind(control, connection, connection.control_port)
  await bind(heart, connection, connection.hb_port)
  parentPort?.on('message', () => {
    control.close()
    heart.close()
    Atomics.store(state, controlState.closed, 1)
    Atomics.notify(state, controlState.closed)
  })
  toKernel('bound')
  void (async () => {
    for await (const frames of heart) await heart.send(frames)
  })()
  for await (const frames of control) {
    const message = readMessage(connection.key, frames)
    if (message === undefined) continue
    const { msg_type: type } = message.header
    const answer = (content: object): Promise<void> =>
      control.send(answerTo(connection.key, message, type.replace('_request', '_reply'), content))
    if (type === 'kernel_info_request') await answer(kernelInfo)
    else if (type === 'interrupt_request') {
      void interrupt(state)
      await answer({ status: 'ok' })
    } else if (type === 'shutdown_request') {
      await answer({ status: 'ok', restart: message.content['restart'] === true })
      toKernel('shutdown')
      // A cell that computes without end is not waited for.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), lastPatience)
    }
  }
}

void serve(workerData)
