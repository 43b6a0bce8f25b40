import { Command, Option } from 'commander'
import { calendarYears } from '../../contract/calendar.js'
import type { FetchResult } from '../../ticks/fetch/fetch.js'
import { filesText, sizeText } from '../../ticks/fetch/room.js'
import { fetchYear } from '../../ticks/fetch/year.js'
import { type ShareKind, shareKinds } from '../../ticks/share/of-link.js'
import { fetchBars } from '../fetch-bars.js'
import { untilInterrupted } from '../interrupt.js'
import { count } from '../options.js'
import { say } from '../output.js'
import { sharePassword } from '../share-password.js'
import { open, type SourceOptions, withSource } from '../source.js'

interface Options extends SourceOptions {
  readonly year: number
  readonly dest: string
  readonly share?: string
  readonly kind?: ShareKind
  readonly user?: string
  readonly parallel: number
}

const interrupted = 'interrupted; what has come stays, and the next run goes on from there'

function days(list: readonly string[]): string {
  return list.length > 10 ? `${list.slice(0, 10).join(', ')} and ${list.length - 10} more` : list.join(', ')
}

/** What was done, in one line. */
function line({ year, files, bytes, fetched, replaced, complete, from, to, missingDays }: FetchResult): string {
  const parts = [
    `${fetched} fetched${replaced > 0 ? `, ${replaced} of them because they had changed` : ''}`,
    ...(complete > 0 ? [`${complete} were there`] : []),
  ]
  const isKnown = year >= calendarYears[0] && year <= calendarYears[1]
  const span = `from ${from} to ${to}`
  const whole = missingDays.length > 0 ? `${span}, where these trading days have no file: ${days(missingDays)}` : span
  return `${year}: ${filesText(files)}, ${sizeText(bytes)}: ${parts.join(', ')}; ${isKnown && missingDays.length === 0 ? 'complete ' : ''}${whole}`
}

async function fetch({ year, dest, share, kind, user, parallel, ...options }: Options): Promise<void> {
  const signal = untilInterrupted(interrupted)
  const password = share === undefined ? undefined : await sharePassword(share)
  const market = share === undefined ? await open(options) : undefined
  const bars = fetchBars(year, dest)
  const onWait = (milliseconds: number): void =>
    say(`${year}: the service is preparing the files; asking again in ${Math.ceil(milliseconds / 1000)} s`)
  try {
    const asked = { year, dest, share, kind, user, password, parallel, onProgress: bars.update, onWait, signal }
    const fetched = await fetchYear(market?.source, asked)
    bars.stop()
    for (const note of fetched.notes) say(`${year}: ${note}`)
    say(line(fetched))
  } finally {
    bars.stop()
    await market?.close()
  }
}

/** `quotebook ticks fetch`. */
export function ticksFetchCommand(): Command {
  const command = new Command('fetch')
    .description('a year of auction-tick files into an archive: what is missing or has changed, each file proven')
    .requiredOption('--year <year>', 'year of the files, from 2022', count(1))
    .option('--dest <dir>', 'archive that they go into; made when it is not there', 'auction_ticks')
    .addOption(
      new Option(
        '--share <link>',
        'a link or a folder, in the place of what the source hands out; its password comes from QUOTEBOOK_SHARE_PASSWORD or a prompt',
      ).env('QUOTEBOOK_SHARE'),
    )
    .addOption(new Option('--kind <kind>', 'what is behind --share; without it the link decides').choices(shareKinds))
    .option('--user <name>', "user that the password of --share is sent with (default: 'quotebook')")
    .option('--parallel <n>', 'files at once, up to 16', count(1), 4)
  return withSource(command)
    .addHelpText('after', '\nExample:\n  quotebook ticks fetch --year 2026 --source https://quotes.example.com')
    .action(fetch)
}
