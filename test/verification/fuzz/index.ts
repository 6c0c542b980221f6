// Fuzzing of a new gateway: `npm run fuzz`. Exit code 1 after a finding.
import { parseArgs } from 'node:util'
import { startCampaign } from './campaign.ts'
import { type FuzzedGateway, startFuzzedGateway } from './gateway.ts'
import { fuzzBySchemathesis } from './schemathesis.ts'

const usage =
  "npm run fuzz -- [--minutes 5] [--seed 1] [--only 'POST /api/v2/checkout'] [--path 3:0:1] [--schemathesis]"
const runsPerRound = 10
/** Distance of the seeds of two rounds: more than there are routes. */
const seedStep = 1_000
/** Largest growth of the heap per round, after the first two, which compile and cache. */
const growthBytesMax = 8 * 1024 * 1024

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    path: { type: 'string' },
    schemathesis: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else process.exitCode = await run()

async function run(): Promise<number> {
  const gateway = await startFuzzedGateway()
  try {
    return await (values.schemathesis ? fuzzBySchemathesis(gateway, values.seed) : fuzz(gateway))
  } finally {
    await gateway.stop()
  }
}

async function fuzz(gateway: FuzzedGateway): Promise<number> {
  const { only, path } = values
  const campaign = await startCampaign(gateway, (line) => console.log(line))
  const began = performance.now()
  const until = began + Number(values.minutes) * 60_000
  const heaps: number[] = []
  const faults: string[] = []
  for (let round = 0; performance.now() < until; round++) {
    const seed = Number(values.seed) + round * seedStep
    await campaign.round({ seed, runs: runsPerRound, only, path, until })
    const { heapUsed, rss, polluted } = await gateway.memory()
    heaps.push(heapUsed)
    if (polluted.length > 0) faults.push(`every object has ${polluted.join(', ')}`)
    console.log(
      `round ${round + 1}, seed ${seed}: ${campaign.summary()}; heap ${mebibytes(heapUsed)}, all ${mebibytes(rss)}`,
    )
    if (path !== undefined) break
  }
  const [first = 0, ...later] = heaps.slice(2)
  const growth = (later.at(-1) ?? first) - first
  if (growth > growthBytesMax * Math.max(1, later.length))
    faults.push(`the heap grew by ${mebibytes(growth)}`)
  const audit = await gateway.command('audit')
  if (audit !== '') faults.push(`the audit says:\n${audit}`)
  for (const fault of faults) console.log(fault)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`${minutes} minutes: ${campaign.summary()}; ${campaign.faults.length + faults.length} faults`)
  return campaign.faults.length + faults.length === 0 ? 0 : 1
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
