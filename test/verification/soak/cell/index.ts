// Soak of a highly available cell: `npm run soak -- --ha --minutes N`.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cell, type DatabaseName, startCell } from '../../../../tools/ha/cell.ts'
import { loopback, namespaces } from '../../../../tools/ha/network.ts'
import { installParts } from '../../../../tools/ha/parts.ts'
import { mountSmallDisk, type SmallDisk } from '../../../small-disk.ts'
import { type Fault, faults, mayIsolate, type Place, untilWhole } from './faults.ts'
import { openShop, type Shop } from './shop.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const calmMs = 5_000
const settleSecondsMax = 60
const callbackSecondsMax = 300
const gatewaySecondsMax = 30
const diskMb = 1536
const shownMax = 20
const members: readonly DatabaseName[] = ['db1', 'db2', 'db3']
const isolated = 'COMPORTA_SOAK_ISOLATED'
/** The address of this process in its own namespace; see `namespaces`. */
const addressInside = '192.0.2.1'

interface Outcome {
  readonly fault: string
  readonly gapSeconds: number
  readonly unclear: number
  readonly slowestSeconds: number
}

/**
 * Runs the soak and returns the exit code. If this user has the rights, each machine gets its own network and disk.
 */
export async function soakCell(minutes: number): Promise<number> {
  if (process.env[isolated] === undefined && mayIsolate()) return again()
  const isInside = process.env[isolated] !== undefined
  if (!isInside)
    console.log('NOT SHOWN HERE: a network that is cut, and a full disk. Only root can make them.')
  const disks = new Map<DatabaseName, SmallDisk>()
  const cell = await startCell({
    parts: installParts(console.log),
    network: isInside ? namespaces : loopback,
    prepare: (folder) => {
      if (!isInside) return
      for (const name of members) {
        const data = join(folder, name, 'data')
        mkdirSync(data, { recursive: true })
        const disk = mountSmallDisk(diskMb, data)
        if (disk !== undefined) disks.set(name, disk)
      }
    },
    settings: { RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
    say: console.log,
  })
  const shop = await openShop(cell, isInside ? addressInside : '127.0.0.1')
  const outcomes = await happenAll({ cell, disks }, shop, minutes)
  const violations = [...judge(outcomes, shop), ...(await conclude(cell, shop))]
  report(outcomes, shop, violations)
  for (const disk of disks.values()) disk.remove()
  await cell.stop()
  return violations.length === 0 ? 0 : 1
}

/** Starts this program again, in a namespace for its network and its mounts. */
function again(): number {
  const { status } = spawnSync('unshare', ['--net', '--mount', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [isolated]: '1' },
  })
  return status ?? 1
}

/** Causes every possible fault once, then again until the time is over. */
async function happenAll(place: Place, shop: Shop, minutes: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const possible = faults.filter((fault) => fault.isPossible(place))
  const end = performance.now() + minutes * 60_000
  await pause(calmMs)
  for (let turn = 0; turn < possible.length || performance.now() < end; turn++) {
    const fault = possible[turn % possible.length] as Fault
    const outcome = await observe(fault, place, shop)
    outcomes.push(outcome)
    console.log(JSON.stringify(outcome))
  }
  return outcomes
}

async function observe(fault: Fault, place: Place, shop: Shop): Promise<Outcome> {
  const from = shop.now()
  const primary = await place.cell.primary()
  if (primary === undefined) throw new Error(`there was no primary before the fault: ${fault.name}`)
  await fault.happen(place, primary)
  await untilWhole(place.cell)
  await pause(calmMs)
  const to = shop.now()
  const unclear = shop.payments.filter(({ unclearAt = -1 }) => unclearAt > from && unclearAt <= to)
  return {
    fault: fault.name,
    gapSeconds: rounded(shop.gapBetween(from, to)),
    unclear: unclear.length,
    slowestSeconds: rounded(slowest(unclear, to)),
  }
}

function slowest(unclear: Shop['payments'], now: number): number {
  return Math.max(
    0,
    ...unclear.map(({ unclearAt = now, answeredAt = now }) => (answeredAt - unclearAt) / 1000),
  )
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function judge(outcomes: readonly Outcome[], shop: Shop): string[] {
  const late = outcomes.flatMap(({ fault, gapSeconds }) => {
    const max = faults.find(({ name }) => name === fault)?.gapSecondsMax ?? Number.POSITIVE_INFINITY
    return gapSeconds > max
      ? [`${fault}: no answer for ${gapSeconds} s, and at most ${max} s are promised`]
      : []
  })
  const slow = shop.payments.filter(
    ({ unclearAt, answeredAt }) =>
      unclearAt !== undefined &&
      (answeredAt ?? Number.POSITIVE_INFINITY) - unclearAt > settleSecondsMax * 1000,
  )
  return [
    ...late,
    ...slow.map(({ key }) => `payment ${key} had no clear answer within ${settleSecondsMax} s`),
  ]
}

async function conclude(cell: Cell, shop: Shop): Promise<string[]> {
  console.log(
    'No more faults: every payment gets its answer and its callback, and the audit looks at the books.',
  )
  await shop.end()
  for (const end = performance.now() + callbackSecondsMax * 1000; performance.now() < end; await pause(500))
    if (shop.withoutCallback().length === 0) break
  const violations = await shop.verdict()
  violations.push(...shop.withoutCallback().map((key) => `payment ${key} has no callback`))
  violations.push(...(await auditOf(cell)))
  for (const name of ['gateway1', 'gateway2'] as const) {
    const begun = performance.now()
    const ended = await cell.machines[name].endGateway()
    const seconds = (performance.now() - begun) / 1000
    if (!ended || seconds > gatewaySecondsMax)
      violations.push(`${name} did not end within ${gatewaySecondsMax} s of SIGTERM`)
    const bugs = cell.machines[name]
      .logOf('gateway.log')
      .split('\n')
      .filter((line) => line.includes('19999'))
    violations.push(...bugs.map((line) => `${name} logged a bug: ${line.slice(0, 1000)}`))
  }
  await shop.close()
  return violations
}

async function auditOf(cell: Cell): Promise<string[]> {
  const program = join(import.meta.dirname, '../../../../bin/comporta.js')
  const [command = '', ...args] = cell.network.on('gateway1', [process.execPath, program, 'audit', '--json'])
  const env = { PATH: process.env.PATH ?? '', ...cell.environmentOf('gateway1') }
  const { stdout, stderr } = await promisify(execFile)(command, args, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  try {
    const { problems } = JSON.parse(stdout) as { problems: object[] }
    return problems.map((problem) => `audit: ${JSON.stringify(problem)}`)
  } catch {
    return [`the audit failed: ${stdout}${stderr}`]
  }
}

function report(outcomes: readonly Outcome[], shop: Shop, violations: readonly string[]): void {
  console.log('\nfault                      longest gap   unclear   slowest clear answer')
  for (const { fault, gapSeconds, unclear, slowestSeconds } of outcomes)
    console.log(
      `${fault.padEnd(26)} ${`${gapSeconds} s`.padStart(11)} ${String(unclear).padStart(9)} ${`${slowestSeconds} s`.padStart(22)}`,
    )
  const missing = faults.filter(({ name }) => !outcomes.some(({ fault }) => fault === name))
  for (const { name } of missing) console.log(`NOT SHOWN HERE: ${name}`)
  console.log(JSON.stringify({ payments: shop.payments.length, violations: violations.length }))
  for (const violation of violations.slice(0, shownMax)) console.log(`- ${violation}`)
}
