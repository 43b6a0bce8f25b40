import type { KernelConnection } from './wire.js'

/** What a kernel gives the thread of its control channel. */
export interface ControlData {
  readonly connection: KernelConnection
  /** Path of zeromq. */
  readonly zmq: string
  /** By the places in `controlState`. */
  readonly state: Int32Array
}

/** Whether an interrupt was taken, how many things run that must not be ended midway, whether the sockets of the thread are closed. */
export const controlState = { taken: 0, protected: 1, closed: 2 } as const

/** What the thread says to the kernel. */
export type ControlWord = 'bound' | 'interrupt' | 'shutdown'
