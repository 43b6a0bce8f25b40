import { Command } from 'commander'
import { type Loss, repairArchive } from '../../archive/repair.js'
import { grid, out, say } from '../output.js'

const head = ['dataset', 'from', 'to', 'rows', 'why']

async function repair(dir: string): Promise<void> {
  const lost = await repairArchive(dir)
  if (lost.length === 0) {
    say(`${dir}: every file that its manifest names is there and sound`)
    return
  }
  out(
    `${grid(
      head,
      lost.map((one: Loss) => [one.dataset, one.from, one.to, one.rows, one.why]),
    )}\n`,
  )
  const rows = lost.reduce((sum, one) => sum + one.rows, 0)
  say(`${dir}: ${rows} rows of ${lost.length} files are lost; the archive names them no more. Import these days again`)
  const voided = [...new Set(lost.filter((one) => one.voided).map(({ dataset }) => dataset))]
  if (voided.length > 0) say(`dropped with it, to be asked for again: all that the cache kept of ${voided.join(', ')}`)
}

export function archiveCommand(): Command {
  return new Command('archive')
    .description('look after an archive')
    .addCommand(
      new Command('repair')
        .description('say which days are lost by files that are missing or damaged, and let go of them')
        .argument('<dir>', 'directory of the archive')
        .action(repair),
    )
}
