import { dayOfFile } from '../../archive/names.js'
import { isDate } from '../../contract/date.js'

const ending = '_aucde.parquet'

/** Name of the file of a day. */
export function tickFileName(day: string): string {
  return `${day}${ending}`
}

/** The day of a file's name; undefined for any other name than `YYYYMMDD_aucde.parquet` of a real date. */
export function dayOfTickFile(name: string): string | undefined {
  const day = dayOfFile(name)
  return day !== undefined && isDate(day) ? day : undefined
}

/** The address of the folder that a link names, with the slash that servers want at its end. */
export function folderAddress(link: string): string {
  const address = new URL(link)
  address.hash = ''
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/`
  return address.href
}

/** The address of a day's file in a folder; a query of the folder's address is kept. */
export function fileAddress(folder: string, day: string): string {
  const address = new URL(folder)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${tickFileName(day)}`
  return address.href
}
