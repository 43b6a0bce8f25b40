import { textCells } from '../../frame/table/values.js'
import type { Snapshot } from './snapshot.js'

/** The ids of the themes whose details an archive has, sorted. */
export async function themeIds(snapshot: Snapshot): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const part of snapshot.parts('theme_lib_detail_kp'))
    for (const id of textCells(await snapshot.load('theme_lib_detail_kp', part), 'theme_id'))
      if (id !== null) ids.add(id)
  return [...ids].sort()
}
