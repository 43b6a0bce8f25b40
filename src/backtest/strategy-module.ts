import { pathToFileURL } from 'node:url'
import importModule from '#import-module'
import { messageOf, QuotebookError } from '../contract/error.js'
import { described } from '../table/shape.js'
import type { Strategy } from './strategy.js'
import type { TrialParams } from './sweep-grid.js'

/** Where the function stands that makes a strategy from params: threads can not be given functions. */
export interface StrategyModule {
  /** A module of JavaScript: a path, or a URL such as `new URL('./double-low.mjs', import.meta.url)`. */
  readonly module: string | URL
  /** Name of its export; `make` unless given. */
  readonly name?: string
}

/** A URL, or that of a path. */
export function moduleUrl(module: string | URL): string {
  if (module instanceof URL) return module.href
  return /^[a-z]{2,}:/i.test(module) ? module : pathToFileURL(module).href
}

/** @throws QuotebookError USAGE for a module that can not be loaded, or has no such function */
export async function importMake(url: string, name: string): Promise<(params: TrialParams) => Strategy> {
  const module = await importModule(url).catch((cause: unknown) => {
    throw new QuotebookError('USAGE', `sweep: ${url} can not be loaded: ${messageOf(cause)}`, { cause })
  })
  const make = module[name]
  if (typeof make === 'function') return make as (params: TrialParams) => Strategy
  throw new QuotebookError('USAGE', `sweep: ${url} exports no function '${name}', but ${described(make)}`)
}
