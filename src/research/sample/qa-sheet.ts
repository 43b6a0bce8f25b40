import { dateOf, dayNumber } from '../../contract/date.js'
import { hostileAnswers, hostileQuestions } from './hostile-texts.js'
import { drawsFrom, fork, isChosen } from './random.js'
import { clock, type Day, dashed } from './sample-days.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'
import type { SampleStock } from './sample-stock.js'
import { fillBlanks, questionTopics, type Topic } from './sample-texts.js'

type Row = WholeRow<'interactive_qa'>

/** First day of the service's history. */
const since = '20260626'

/** What became of an answer: it stood, was revised, or two texts bear one time. */
const fates = ['stood', 'stood', 'stood', 'stood', 'revised', 'twice', 'ambiguous', 'unclear'] as const

/** Days after the first answer and whether the time of the answer before is kept, for each further revision. */
const revisions: Readonly<
  Record<(typeof fates)[number], readonly { readonly wait: number; readonly same: boolean }[]>
> = {
  stood: [],
  revised: [{ wait: 1, same: false }],
  twice: [
    { wait: 0, same: false },
    { wait: 2, same: false },
  ],
  ambiguous: [{ wait: 0, same: true }],
  unclear: [
    { wait: 1, same: false },
    { wait: 1, same: true },
  ],
}

const hostileTopics: readonly Topic[] = hostileQuestions.map((title) => ({ title, bodies: hostileAnswers }))

/** All revisions of one question first answered on days[at]; those after the last day have not happened yet. */
function* questionRows(
  root: number,
  topics: readonly Topic[],
  stock: SampleStock,
  days: readonly Day[],
  at: number,
): Iterable<Row> {
  const day = days[at] as Day
  const own = fork(fork(root, stock.code), day.t)
  if (stock.code !== '000001' && !isChosen(own, 4)) return
  const { int, pick } = drawsFrom(own)
  const asked = dashed(dateOf(dayNumber(day.date) - int(1, 6)))
  const question_time = `${asked} ${clock(int(8 * 3600, 23 * 3600))}`
  const topic = pick(topics)
  const words = drawsFrom(fork(own, 'words'))
  const unused = [...topic.bodies]
  const qa_id = `1${day.date}${stock.code}${int(1000, 9999)}`
  const further = revisions[pick(fates)]
  let seconds = int(9 * 3600, 17 * 3600)
  for (const [place, { wait, same }] of [{ wait: 0, same: false }, ...further].entries()) {
    const when = days[at + wait]
    if (!when) return
    if (place > 0 && !same) seconds += int(60, 3600)
    const follower = further[place]
    const answer = pick(unused)
    unused.splice(unused.indexOf(answer), 1)
    yield {
      symbol: stock.code,
      event_date: when.date,
      qa_id,
      question_time,
      question: topic.title,
      answer_time: `${dashed(when.date)} ${clock(seconds)}`,
      answer: fillBlanks(answer, words),
      revision_no: place + 1,
      version_ambiguous: same || follower?.same === true,
    }
  }
}

/** Questions and answers of Shanghai and Shenzhen stocks; two texts of one answer time are marked ambiguous. */
export const qaSheet = wholeSheetOf(
  'interactive_qa',
  (sample) => sample.days.filter((day) => day.date >= since),
  (sample, days) => {
    const root = fork(sample.seed, 'qa')
    const topics = sample.hostile ? [...questionTopics, ...hostileTopics] : questionTopics
    const listed = sample.stocks.filter((stock) => stock.board !== 'BSE')
    return listed.flatMap((stock) => days.flatMap((_, at) => [...questionRows(root, topics, stock, days, at)]))
  },
)
