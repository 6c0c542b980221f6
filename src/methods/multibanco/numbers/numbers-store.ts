// The SQL of numbers: blocks from a counter, without used numbers.
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, statement } from '../../../storage/index.ts'
import type { ReferenceNumber } from '../model.ts'

const advanceCounter = statement<{ first: bigint }>(`
  insert into bank_reference_counters as counters (entity, handed_out) values ($1, $2)
  on conflict (entity) do update set handed_out = counters.handed_out + $2
  returning handed_out - $2 as first`)

export async function reserveBlock(db: Executor, entity: string, size: number): Promise<bigint> {
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

/** Also numbers after their waiting time. Use the last one first. */
export async function selectFreeNumbers(
  db: Executor,
  entity: string,
  numbers: readonly ReferenceNumber[],
  now: Instant,
): Promise<ReferenceNumber[]> {
  await db.run(releaseNumbers, [entity, numbers, toTimestamp(now)])
  return (await db.run(selectFree, [entity, numbers])).map(({ number }) => number)
}

const countHeld = statement<{ held: bigint }>(`
  select count(*) as held from bank_references
  where entity = $1 and number = any($2::integer[]) and number_held
    and (number_free_at is null or number_free_at > $3)`)

export async function countHeldNumbers(
  db: Executor,
  entity: string,
  numbers: readonly ReferenceNumber[],
  now: Instant,
): Promise<number> {
  const [row] = await db.run(countHeld, [entity, numbers, toTimestamp(now)])
  return Number(row?.held ?? 0n)
}
