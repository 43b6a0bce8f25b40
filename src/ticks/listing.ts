import { isDate } from '../contract/date.js'

const ending = '_aucde.parquet'
const name = /(?<![\w.-])(\d{8})_aucde\.parquet(?![\w.-])/g

/**
 * The days of the tick files that a folder lists, ascending: as the page of a web server, or as WebDAV. Nothing of the text
 * counts but names of the one form that the contract has.
 */
export function daysIn(text: string): string[] {
  const days = [...text.matchAll(name)].map(([, day = '']) => day)
  return [...new Set(days)].filter(isDate).sort()
}

/** The address of a day's file in the folder of a share. */
export function fileIn(folder: string, day: string): string {
  const address = new URL(folder)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${day}${ending}`
  return address.href
}

/** The address of the folder itself, with the slash that servers want at its end. */
export function folderOf(link: string): string {
  const address = new URL(link)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/`
  return address.href
}
