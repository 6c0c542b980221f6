// One process of `npm run simulate`, which runs a part of the seeds.

// This import comes first, because it replaces functions of Node before the gateway loads.
import './machine/globals.ts'
import { type Options, replayLine } from './options.ts'
import { shrink } from './shrink.ts'
import { openSimulator, type Timed } from './simulator.ts'

export type Report =
  | { readonly kind: 'failure'; readonly text: string }
  | ({ readonly kind: 'seed'; readonly seed: number; readonly failed: boolean } & Omit<
      Timed,
      'problems' | 'lines'
    >)

const shrinkTriesMax = 150
const problemsShown = 5
const problemLengthMax = 600

const options: Options = JSON.parse(process.argv[2] ?? '')
const { seeds, seed: first, operations, jobs, keep, trace } = options
process.on('disconnect', () => process.exit())
const simulate = await openSimulator(process.argv[4])
const onTrace = trace ? (line: string) => console.log(line.replace(/\s+/g, ' ')) : undefined

for (let seed = first + Number(process.argv[3]); seed < first + seeds; seed += jobs) {
  const { problems, lines, ...outcome } = await simulate({ seed, operations, keep, onTrace })
  if (problems.length > 0) await report(seed, problems, lines)
  if (seeds === 1) console.log(`seed ${seed}: ${lines.length} lines, trace ${outcome.trace}`)
  process.send?.({ kind: 'seed', seed, failed: problems.length > 0, ...outcome } satisfies Report)
}
process.disconnect?.()

async function report(seed: number, problems: readonly string[], lines: readonly number[]): Promise<void> {
  const kind = kindOf(problems[0])
  const found = `seed ${seed} fails, and is being shrunk: ${replayLine(options, seed, keep)}`
  process.send?.({ kind: 'failure', text: found } satisfies Report)
  const fails = async (kept: readonly number[]) => {
    const again = await simulate({ seed, operations, keep: kept })
    return again.problems.some((problem) => kindOf(problem) === kind)
  }
  const kept = keep === undefined ? await shrink(lines, fails, shrinkTriesMax) : lines
  const shown = problems.slice(0, problemsShown).map((problem) => `  ${problem.slice(0, problemLengthMax)}`)
  const head = `seed ${seed} fails; ${kept.length} of ${lines.length} lines suffice: ${replayLine(options, seed, kept)}`
  process.send?.({ kind: 'failure', text: [head, ...shown].join('\n') } satisfies Report)
}

function kindOf(problem = ''): string {
  return problem
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d+/g, '0')
    .slice(0, 80)
}
