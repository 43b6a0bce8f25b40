import { Command } from 'commander'
import { writeSample } from '../../sample/write.js'
import { untilInterrupted } from '../interrupt.js'
import { count } from '../options.js'
import { say } from '../output.js'
import { bar } from '../progress.js'

interface Options {
  readonly out: string
  readonly seed: number
  readonly days: number
  readonly symbols: number
}

async function sample({ out, seed, days, symbols }: Options): Promise<void> {
  const progress = bar('sample')
  try {
    const { rows, files } = await writeSample(
      out,
      { seed, days, symbols },
      (done, of, what) => progress.update(done, of, what),
      untilInterrupted(),
    )
    progress.stop()
    say(`${out}: a synthetic archive of ${rows} rows in ${files} files (seed ${seed})`)
  } finally {
    progress.stop()
  }
}

export function sampleCommand(): Command {
  return new Command('sample')
    .description('the synthetic archive, any size; the same seed gives the same bytes')
    .requiredOption('--out <dir>', 'new or empty directory')
    .option('--seed <n>', 'whole number', count(0), 20260706)
    .option('--days <n>', 'trading days, back from 2026-07-29; the calendar begins in 2022', count(1), 60)
    .option('--symbols <n>', 'ETFs, up to 2000; twice as many bonds, four times as many stocks', count(1), 10)
    .action(sample)
}
