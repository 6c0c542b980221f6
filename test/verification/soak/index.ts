// Soak test: `npm run soak -- --minutes N`, with every fault and a verdict. `--ha`: of a highly available cell.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../free-port.ts'
import { startGatewayProcess } from '../../gateway-process.ts'
import { createChance } from '../chance.ts'
import { createModel, type Model } from '../model/model.ts'
import type { Merchant } from '../world/notes.ts'
import { planOf } from '../world/plan.ts'
import { createReceiver, type Receiver, receiverPath } from '../world/receiver.ts'
import { actAll, drain } from '../world/run.ts'
import { createWorld, type Step, type World } from '../world/world.ts'
import { soakCell } from './cell/index.ts'
import { startDatabaseServer } from './database-server.ts'
import { type FaultCounts, happen } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createHttpWire } from './http-wire.ts'
import { comporta, merchantsFor } from './merchants.ts'
import { startProxy } from './proxy.ts'
import { serveReceiver } from './receiver-server.ts'

const stepsPerPlan = 1000
const shownMax = 40
/** Longer than any lease. Some leases use real time. */
const leasesMs = 65_000
const loggedMax = 2_500

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    gateways: { type: 'string', default: '6' },
    'at-once': { type: 'string', default: '16' },
    ha: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

/** Makes steps without end: one plan after another, each with a new seed. */
function* steps(seed: string): Generator<Step> {
  for (let part = 0; ; part++) yield* planOf(`${seed}/${part}`, stepsPerPlan)
}

interface Report {
  readonly steps: number
  readonly faults: FaultCounts
  readonly violations: readonly string[]
}

async function soak(folder: string, model: Model): Promise<Report> {
  const chance = createChance(`soak ${values.seed}`)
  const database = await startDatabaseServer()
  const toDatabase = await startProxy(() => database.port)
  const databaseUrl = database.url.replace(`:${database.port}/`, `:${toDatabase.port}/`)
  const dataDirs = await firstStart(folder, database.url)
  const own = { DATA_DIR: dataDirs[0] ?? '', DATABASE_URL: database.url }
  const merchants = await merchantsFor(own)
  const receiver = createReceiver(model.witness, chance.apart('receiver'))
  const server = await serveReceiver(receiver)
  for (const { wallet_id } of merchants)
    await comporta(
      own,
      'merchant',
      'set',
      String(wallet_id),
      '--callback-url',
      server.origin + receiverPath(wallet_id),
    )
  let fleet: Fleet | undefined
  const front = await startProxy(() => fleet?.next())
  const baseUrl = `http://127.0.0.1:${front.port}`
  fleet = await startFleet(dataDirs, databaseUrl, {
    BASE_URL: baseUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  })
  const wire = createHttpWire(() => baseUrl, baseUrl)
  let isOver = false
  const callbackUrl = (merchant: Merchant) => server.origin + receiverPath(merchant.wallet_id)
  const world = createWorld({ wire, merchants, witness: model.witness, callbackUrl, isOver: () => isOver })
  setTimeout(() => {
    isOver = true
  }, Number(values.minutes) * 60_000)
  const [done, faults] = await Promise.all([
    actAll(world, steps(values.seed), Number(values['at-once']), () => isOver),
    happen({ fleet, database, proxies: [front, toDatabase] }, chance.apart('faults'), () => isOver),
  ])
  isOver = false
  await fleet.allUp()
  const violations = await conclude(world, receiver, model, own)
  violations.push(...fleet.errors().map((line) => `a gateway logged a bug: ${line.slice(0, loggedMax)}`))
  await fleet.stop()
  await Promise.all([wire.close(), server.close(), front.close(), toDatabase.close()])
  if (violations.length > 0) database.dumpTo(join(folder, 'postgres'))
  await database.stop()
  return { steps: done, faults, violations }
}

/** One gateway creates the demo world. The others start on copies of its folder. */
async function firstStart(folder: string, databaseUrl: string): Promise<string[]> {
  const dataDirs = Array.from({ length: Number(values.gateways) }, (_, place) =>
    join(folder, `gateway-${place}`),
  )
  const [first = ''] = dataDirs
  mkdirSync(first, { recursive: true })
  const gateway = await startGatewayProcess({ dataDir: first, databaseUrl, port: await freePort() })
  await gateway.stop()
  for (const other of dataDirs.slice(1)) cpSync(first, other, { recursive: true })
  return dataDirs
}

async function conclude(
  world: World,
  receiver: Receiver,
  model: Model,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  console.log('No more faults: everything comes to its end, and the model and the audit look at it.')
  await world.wire.pause(leasesMs)
  await drain(world, receiver)
  const violations = await model.verdict(world.wire, world.merchants)
  const { problems } = await comporta(environment, 'audit')
  return [
    ...violations,
    ...problems.map(
      ({ check, subject, detail }: Record<string, string>) => `audit: ${check} ${subject} ${detail}`,
    ),
  ]
}

// A signal without a handler would leave child processes behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
if (values.ha) process.exit(await soakCell(Number(values.minutes)))
const folder = mkdtempSync(join(tmpdir(), 'comporta-soak-'))
let isKept = false
process.once('exit', () => {
  if (!isKept) rmSync(folder, { recursive: true, force: true })
})
const model = createModel()
console.log(
  `Soak of ${values.minutes} minutes over ${values.gateways} gateways, seed ${values.seed}, in ${folder}`,
)
const {
  steps: stepsDone,
  faults,
  violations,
} = await soak(folder, model).catch((error: Error) => {
  // A fault in progress may fail too. The soak reports only the first reason.
  process.on('unhandledRejection', () => undefined)
  console.error(`The soak ended early: ${error.message}`)
  return process.exit(1)
})
const figures = {
  seed: values.seed,
  minutes: Number(values.minutes),
  steps: stepsDone,
  ...model.counts(),
  ...faults,
}
console.log(JSON.stringify({ ...figures, violations: violations.length }))
for (const violation of violations.slice(0, shownMax)) console.log(`- ${violation}`)
if (violations.length > 0) {
  isKept = true
  writeFileSync(join(folder, 'violations.txt'), `${violations.join('\n')}\n`)
  console.log(
    `${violations.length} violations, all in ${folder}/violations.txt; again with --seed ${values.seed}`,
  )
}
process.exit(violations.length === 0 ? 0 : 1)
