// Numbers in blocks per process, without collisions or waits.

import { Gauge } from 'prom-client'
import type { Cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { type Clock, type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import type { ReferenceNetworks } from '../../rails/index.ts'
import { type Database, type Executor, statement, storeFunction } from '../../storage/index.ts'
import type { ReferenceNumber } from './model.ts'

export const numbersPerEntity = 10_000_000
const blockSize = 1000
/** The next block is fetched when at most this many numbers are left, so that no request has to wait. */
const refillBelow = 300
const blocksTriedMax = 20
/**
 * Visits all numbers without repetition, because it is coprime to their count. Consecutive references differ
 * in many digits, so a typing error does not lead to another one.
 */
const stride = 6_180_339
const firstNumber = 2_718_281n

export function numberAt(position: bigint): ReferenceNumber {
  return Number((position * BigInt(stride) + firstNumber) % BigInt(numbersPerEntity))
}

export type ReferenceNumbers = ReturnType<typeof createReferenceNumbers>

interface EntityDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Keeps numbers for each entity, because the gateway's entity can change while it runs. */
export function createReferenceNumbers(deps: EntityDeps) {
  const entities = new Map<string, ReturnType<typeof numbersOf>>()
  // A server that takes over may give the same block to another process.
  deps.database.onFailover(() => entities.clear())
  return {
    take(entity: string): Promise<Result<ReferenceNumber>> {
      const numbers = entities.get(entity) ?? numbersOf(deps, entity)
      entities.set(entity, numbers)
      return numbers.take()
    },
  }
}

function numbersOf({ database, clock }: EntityDeps, entity: string) {
  let free: ReferenceNumber[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    for (let tried = 0; tried < blocksTriedMax; tried++) {
      const first = await reserveBlock(database, entity, blockSize)
      const numbers = Array.from({ length: blockSize }, (_, index) => numberAt(first + BigInt(index)))
      const found = await selectFreeNumbers(database, entity, numbers, clock.now())
      free = [...found, ...free]
      if (free.length > refillBelow) return
    }
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  return {
    async take(): Promise<Result<ReferenceNumber>> {
      // A loop, because other callers can use up a small block first.
      while (free.length === 0) {
        await refill()
        if (free.length === 0) {
          return refuse('service_unavailable', `entity ${entity} has no free reference: try again later`)
        }
      }
      const number = free.pop() as ReferenceNumber
      if (free.length < refillBelow) refill().catch(() => undefined)
      return ok(number)
    },
  }
}

const advanceCounter = statement<{ first: bigint }>(`
  insert into bank_reference_counters as counters (entity, handed_out) values ($1, $2)
  on conflict (entity) do update set handed_out = counters.handed_out + $2
  returning handed_out - $2 as first`)

async function reserveBlock(db: Executor, entity: string, size: number): Promise<bigint> {
  const [row] = await db.run(advanceCounter, [entity, size])
  if (row === undefined) throw new Error(`entity ${entity} has no counter`)
  return row.first
}

const releaseNumbers = statement(`
  update bank_references set number_held = false
  where entity = $1 and number = any($2::integer[]) and number_held and number_free_at <= $3`)

const selectFree = statement<{ number: number }>(`
  select number
  from unnest($2::integer[]) with ordinality as wanted(number, position)
  where not exists (
    select from bank_references
    where bank_references.entity = $1 and bank_references.number = wanted.number and number_held
  )
  order by position desc`)

/** Includes numbers that may be used again after their waiting time. Use the last one first. */
async function selectFreeNumbers(
  db: Executor,
  entity: string,
  numbers: readonly ReferenceNumber[],
  now: Instant,
): Promise<ReferenceNumber[]> {
  await db.run(releaseNumbers, [entity, numbers, toTimestamp(now)])
  return (await db.run(selectFree, [entity, numbers])).map(({ number }) => number)
}

const countHeldNumbers = storeFunction(
  (entity: string, numbers: readonly ReferenceNumber[], now: Instant) => [entity, numbers, toTimestamp(now)],
  ([row]: { held: bigint }[]) => Number(row?.held ?? 0n),
)`
  select count(*) as held from bank_references
  where entity = $1 and number = any($2::integer[]) and number_held
    and (number_free_at is null or number_free_at > $3)`

const numberLength = 7
const amountLength = 8
const modulus = 97n

export function referenceDigits(entity: string, number: ReferenceNumber, amount: Cents): string {
  const digits = String(number).padStart(numberLength, '0')
  const checked = entity + digits + String(amount).slice(-amountLength).padStart(amountLength, '0')
  const check = modulus + 1n - ((BigInt(checked) * 100n) % modulus)
  return digits + String(check).padStart(2, '0')
}

/** Returns undefined unless there are nine digits. It does not verify the check digits. */
export function numberOf(ref: string): ReferenceNumber | undefined {
  return /^\d{9}$/.test(ref) ? Number(ref.slice(0, numberLength)) : undefined
}

export function inGroupsOfThree(ref: string): string {
  return ref.replace(/\d{3}(?=\d)/g, '$& ')
}

const sampleSize = 1000

export interface ReferenceMetricsDeps extends Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'> {
  readonly networks: Pick<ReferenceNetworks, 'own'>
}

export function createReferenceMetrics({
  database,
  clock,
  networks,
  metrics,
  onError,
}: ReferenceMetricsDeps): void {
  const step = numbersPerEntity / sampleSize
  // Numbers are scattered over the range, so a regular sample is enough.
  const sample = Array.from({ length: sampleSize }, (_, index) => index * step + (index % step))
  new Gauge({
    name: 'comporta_reference_numbers_free_ratio',
    help: 'Ratio of free bank reference numbers of the entity',
    labelNames: ['entity'],
    registers: [metrics],
    async collect() {
      this.reset()
      const entity = networks.own?.entity
      if (entity === undefined) return
      try {
        const held = await countHeldNumbers(database, entity, sample, clock.now())
        this.set({ entity }, 1 - held / sampleSize)
      } catch (error) {
        onError(error)
      }
    },
  })
}
