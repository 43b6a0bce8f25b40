import { constants } from 'node:fs'
import { readRegular } from '../../archive/open-file.js'
import { sha256 } from '../../archive/write-whole.js'
import { messageOf } from '../../contract/error.js'
import { type Footer, footerOf } from '../../table/parquet-file/footer.js'
import { ownLimits } from '../../table/parquet-file/limits.js'
import { checkPages } from '../../table/parquet-file/pages.js'
import { ofMemory } from '../../table/parquet-file/ranges.js'
import { failureReason, isFatal } from '../poison.js'
import { type BatchDecoder, openDecoder } from './decode.js'
import type { FileFacts, InspectTask } from './facts.js'
import { inspectRows } from './rows.js'

type Tell = (facts: FileFacts) => void

function isMagic(bytes: Uint8Array): boolean {
  return bytes.length === 4 && Buffer.from(bytes).toString('latin1') === 'PAR1'
}

async function footerIn(bytes: Uint8Array, tell: Tell): Promise<Footer | undefined> {
  try {
    const footer = await footerOf(bytes, 'it', ownLimits)
    const { rows: counted, rowGroups, columns: schema } = footer
    const pages = await checkPages(ofMemory(bytes), footer, ownLimits)
    tell({ footer: null, groups: rowGroups.length, counted, schema, pages })
    return footer
  } catch (error) {
    tell({ footer: messageOf(error) })
    return undefined
  }
}

/** Decodes row group after row group; one that can not be decoded does not keep the others from it. */
async function rowsIn(decoder: BatchDecoder, footer: Footer, day: string, tell: Tell): Promise<boolean> {
  const rows = inspectRows(footer, day)
  const broken: string[] = []
  for (let group = 0; group < footer.rowGroups.length; group++) {
    const at = group + 1
    tell({ at })
    try {
      await rows.takeGroup(group, decoder, () => tell({ at }))
    } catch (error) {
      if (isFatal(error)) throw error
      broken.push(`row group ${at}: ${failureReason(error)}`)
      rows.lose('not all row groups can be decoded')
    }
  }
  tell({ broken: { groups: broken.length, first: broken[0] }, ...rows.facts() })
  tell({ key: await rows.keyFacts(decoder, () => tell({})) })
  return broken.length > 0
}

/**
 * Finds out about a file all that its bytes tell, and tells every part as soon as it is known: what comes after may bring
 * the decoder down. Tells whether the decoding failed in an orderly way.
 * @throws the system's error for a file that can not be read; what a decoder throws that has broken down
 */
export async function inspectFile(
  { path, day }: InspectTask,
  tell: Tell,
  onDecoder: (decoder: BatchDecoder) => void,
): Promise<{ readonly broken: boolean }> {
  const bytes = await readRegular(path, constants.O_RDONLY)
  tell({ bytes: bytes.length, sha256: sha256(bytes) })
  tell({ magic: { head: isMagic(bytes.subarray(0, 4)), tail: isMagic(bytes.subarray(-4)) } })
  const footer = await footerIn(bytes, tell)
  if (!footer) return { broken: false }
  let decoder: BatchDecoder
  try {
    decoder = await openDecoder(bytes, footer)
  } catch (error) {
    if (isFatal(error)) throw error
    tell({ footer: failureReason(error) })
    return { broken: false }
  }
  onDecoder(decoder)
  const broken = await rowsIn(decoder, footer, day, tell)
  decoder.close()
  return { broken }
}
