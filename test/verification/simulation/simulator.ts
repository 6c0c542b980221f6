// Runs seeds one after another on one database, which is reset for each.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openSandbox } from '../../../sandbox/index.ts'
import { composeGateway } from '../../../src/compose.ts'
import { loadConfig } from '../../../src/config.ts'
import { watchCrashPoints } from '../../../src/kernel/crash-points.ts'
import { systemClock } from '../../../src/kernel/time.ts'
import { runDetached } from '../../../src/kernel/tracing.ts'
import { type Database, loadKeyring, openPglite } from '../../../src/storage/index.ts'
import { createChance } from '../chance.ts'
import type { Merchant } from '../world/notes.ts'
import { receiverPath } from '../world/receiver.ts'
import { createNoticeBoard } from './machine/board.ts'
import { makeTables, rememberRows } from './machine/books.ts'
import { lentInTime } from './machine/connection.ts'
import { startHere } from './machine/engine.ts'
import { takeFetches, time } from './machine/globals.ts'
import { takePosts } from './machine/posts.ts'
import { openServer } from './machine/server.ts'
import { owners } from './machine/time.ts'
import { receiverOrigin } from './network.ts'
import { Life } from './processes/life.ts'
import { type Outcome, runSeed, type SeedRun } from './seed.ts'

export type Timed = Outcome & {
  readonly tookMs: number
}

const baseUrl = 'http://gateway.invalid'

const warmUpOperations = 15

/**
 * Opens the database once, with the demo world. The returned function runs one seed after another.
 * @param url a database on PostgreSQL from `prepareDatabase`; if absent, an embedded one in memory
 */
export async function openSimulator(url?: string): Promise<(run: SeedRun) => Promise<Timed>> {
  const database = await time.until(
    url === undefined ? openPglite(undefined, { startThread: startHere }) : openServer(url, time),
    true,
  )
  if (url === undefined) await time.until(makeTables(database), true)
  const installation = await time.until(install(database), true)
  const goBack = await time.until(rememberRows(database))
  const board = createNoticeBoard(database, time)
  const somebody = new Life('somebody', {
    time,
    database,
    acquirerCancels: true,
    heldUntil: 0,
    jumpedAt: Number.NEGATIVE_INFINITY,
    calm: true,
    faulty: false,
    trace: () => undefined,
  })
  if (somebody.within(() => runDetached(() => owners.getStore())) !== somebody)
    throw new Error('the gateway was loaded before the replacement of Node’s functions')
  watchCrashPoints((point) => {
    const owner = owners.getStore()
    if (owner instanceof Life) owner.reach(point)
  })
  const strays: unknown[] = []
  process.on('unhandledRejection', (error) => strays.push(error))
  const simulate = async (run: SeedRun) => {
    const began = process.cpuUsage()
    const begin = () => time.reset(beginningOf(run.seed), createChance(`order ${run.seed}`))
    begin()
    board.clear()
    // A server may still roll back work of the seed before.
    await time.until(goBack(), url !== undefined)
    // The work of the seed before has ended now.
    begin()
    const outcome = await runSeed(run, {
      ...installation,
      database: url === undefined ? lentInTime(database, time) : database,
      time,
      board,
      takePosts,
      takeFetches,
    })
    const problems = [
      ...outcome.problems,
      ...strays
        .splice(0)
        .map((error) => `a rejection that nobody handled would end a process: ${textOf(error)}`),
    ]
    return { ...outcome, problems, tookMs: Math.round(cpuMs(began)) }
  }
  // Code that loads at its first use would slow down only the first seed, so a seed runs before the others.
  await simulate({ seed: 0, operations: warmUpOperations })
  strays.length = 0
  return simulate
}

/**
 * The start of a seed: just before midnight in Lisbon, the end of a month, or a change of the clock, or any other
 * time.
 */
function beginningOf(seed: number): number {
  const chance = createChance(`beginning ${seed}`)
  const edges = [
    '2027-01-31T23:59:00Z',
    '2027-02-28T23:58:00Z',
    '2027-03-28T00:59:00Z',
    '2027-05-31T22:59:00Z',
    '2027-10-31T00:58:00Z',
    '2028-02-28T23:59:30Z',
    '2028-12-31T23:59:00Z',
  ]
  const edge = Date.parse(chance.pick(edges))
  return chance.happens(0.5) ? edge : edge + chance.below(300 * 24 * 3600) * 1000
}

async function install(database: Database) {
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-simulation-'))
  try {
    const config = loadConfig({ DATA_DIR: dataDir, RATE_LIMITS: 'off', BASE_URL: baseUrl })
    if (!config.ok) throw new Error(config.refusal.join('\n'))
    const chance = createChance('installation')
    const random = { bytes: (length: number) => chance.bytes(length) }
    const keyring = await loadKeyring(config.value.masterKeyFile, { generate: true, random })
    if (!keyring.ok) throw new Error(keyring.refusal)
    const logger = pino({ level: 'silent' })
    const shared = { config: config.value, baseUrl, keyring: keyring.value, logger }
    const runtime = { ...shared, database, clock: systemClock, random, onError, close: async () => undefined }
    const { clock, rails } = await openSandbox(runtime)
    const { demo, administration } = composeGateway({ ...runtime, clock }, rails)
    await demo()
    const { merchants } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
      merchants: Merchant[]
    }
    for (const { wallet_id } of merchants) {
      const callbackUrl = `${receiverOrigin}${receiverPath(wallet_id)}`
      await administration.setCallbackUrls(BigInt(wallet_id), { callbackUrl })
    }
    return { ...shared, merchants }
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function onError(error: unknown): never {
  throw error
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function textOf(error: unknown): string {
  return error instanceof Error ? String(error.stack) : String(error)
}
