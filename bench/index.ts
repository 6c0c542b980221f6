// Benchmark of the gateway on a real PostgreSQL: `npm run bench`.
import { parseArgs } from 'node:util'
import { charges } from './charges.ts'
import { memoryMbMax } from './goals.ts'
import { longLists } from './lists.ts'
import { cleanUp, type Machine, startMachine } from './machine.ts'
import type { Measurement } from './measure.ts'
import {
  atOnce,
  authorizations,
  embeddedPayments,
  firstPayments,
  type PartOptions,
  payments,
  references,
} from './paying.ts'
import { callbacks } from './queue.ts'
import { checkouts, healthz, largeWallets, reads } from './reading.ts'
import { tablesOf, writeDocs } from './report.ts'
import { type BareKind, bareLoop, groupsAlone, limitPayments } from './yardsticks.ts'

type Part = (options: PartOptions) => Promise<Measurement[]>

/** `charges` runs first, because its audit fails if another part has written rows without a wallet. */
const parts: Readonly<Record<string, Part>> = {
  charges,
  payments,
  authorizations,
  references,
  checkouts,
  reads,
  callbacks,
  connections: atOnce,
  large: largeWallets,
  lists: longLists,
}
/** The connections of the bare loop, for each part that is compared with it. */
const barePartConnections: Readonly<Record<BareKind, readonly number[]>> = {
  payments: [128, 32, 1],
  authorizations: [128],
  references: [128],
  checkouts: [128, 32],
}
const allParts = [...Object.keys(parts), 'embedded', 'yardsticks']
/** `lists` is not in a usual run, because writing its rows takes longer than everything else. */
const usualParts = allParts.filter((part) => part !== 'lists')

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string' },
    only: { type: 'string', default: usualParts.join(',') },
    json: { type: 'boolean', default: false },
    features: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const connections = values.connections?.split(',').map(Number)
const chosen = values.only.split(',')
const unknown = chosen.filter((part) => !allParts.includes(part))
if (unknown.length > 0 || !(seconds > 0) || connections?.some((count) => !(count > 0))) {
  process.stderr.write(`usage: npm run bench -- [--only ${allParts.join(',')}] [--connections 32,128]`)
  process.stderr.write(' [--seconds 5] [--features] [--json] [--write-docs]\n')
  process.exit(2)
}

const interrupted = 130
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping = true
    void cleanUp().finally(() => process.exit(interrupted))
  })
}

const measurements: Measurement[] = []
try {
  await onPostgres()
  if (chosen.includes('embedded')) {
    const machine = await startMachine('pglite')
    keep(await embeddedPayments({ machine, seconds, connections }))
    await cleanUp()
  }
} catch (error) {
  // After Ctrl-C the processes end while a part still measures, so its error is expected.
  if (!stopping) throw error
} finally {
  await cleanUp()
}
const largest = Math.max(...measurements.map(({ memoryMb = 0 }) => memoryMb))
const memory = { largestMb: largest, goalMb: memoryMbMax, met: largest <= memoryMbMax }
const verdict = `Largest memory of a gateway: ${largest} MiB, goal ${memoryMbMax}: ${memory.met ? 'met' : 'missed'}.`
const report = `${tablesOf(measurements)}\n\n${verdict}\n`
if (!values.json) process.stdout.write(`${report}\n`)
if (values['write-docs']) writeDocs(report)
process.stdout.write(`${JSON.stringify({ seconds, memory, measurements })}\n`)

async function onPostgres(): Promise<void> {
  if (chosen.every((part) => part === 'embedded')) return
  const machine = { ...(await startMachine('postgres')), countsFeatures: values.features }
  const loops = new Map<string, number>()
  if (chosen.includes('charges')) keep(await charges({ machine }))
  if (chosen.includes('yardsticks')) {
    keep(await healthz({ machine, seconds: seconds / 2 }))
    await firstPayments(machine)
    keep(await groupsAlone(machine, seconds / 2))
    const limits = await limitPayments(machine, connections ?? [128, 1], seconds)
    for (const { connections: count, delivered } of limits)
      loops.set(`limit ${count}`, delivered?.perSecond ?? 0)
    keep(limits)
    await bareLoops(machine, loops)
  }
  for (const [name, part] of Object.entries(parts)) {
    if (name === 'charges' || !chosen.includes(name)) continue
    const bareOf = (count: number) => loops.get(`${name} ${count}`)
    const limitOf = (count: number) => loops.get(`limit ${count}`)
    keep(await part({ machine, seconds, connections, bareOf, limitOf }))
  }
  await cleanUp()
}

async function bareLoops(machine: Machine, loops: Map<string, number>): Promise<void> {
  for (const [kind, counts] of Object.entries(barePartConnections) as [BareKind, readonly number[]][]) {
    if (!chosen.includes(kind)) continue
    for (const count of connections ?? counts) {
      const measured = await bareLoop(machine, kind, count, seconds / 2)
      if (measured === undefined) continue
      loops.set(`${kind} ${count}`, measured.perSecond)
      keep([measured])
    }
  }
}

/** Prints each result at once, because the whole run takes minutes. */
function keep(measured: readonly Measurement[]): void {
  measurements.push(...measured)
  for (const { what, connections: count, perSecond, delivered } of measured) {
    const rate = delivered === undefined ? '' : `, ${delivered.perSecond.toFixed(0)} delivered`
    process.stderr.write(`${what}, ${count} connections: ${perSecond.toFixed(0)}/s${rate}\n`)
  }
}
