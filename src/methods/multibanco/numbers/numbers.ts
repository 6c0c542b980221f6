// Numbers in blocks per process, without collisions or waits.
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import type { Clock } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import type { ReferenceNumber } from '../model.ts'
import { reserveBlock, selectFreeNumbers } from './numbers-store.ts'

export const numbersPerEntity = 10_000_000
const blockSize = 1000
/** Fetch the next block before anyone waits. */
const refillBelow = 300
const blocksTriedMax = 20
/**
 * Visits all numbers without repetition, because it is coprime to their count. Consecutive references differ in many
 * digits, so a typing error hits no other reference.
 */
const stride = 6_180_339
const firstNumber = 2_718_281n

export function numberAt(position: bigint): ReferenceNumber {
  return Number((position * BigInt(stride) + firstNumber) % BigInt(numbersPerEntity))
}

export interface ReferenceNumbers {
  take(entity: string): Promise<Result<ReferenceNumber>>
}

interface EntityDeps {
  readonly database: Database
  readonly clock: Clock
}

/** The gateway's entity can change while it runs. */
export function createReferenceNumbers(deps: EntityDeps): ReferenceNumbers {
  const entities = new Map<string, ReturnType<typeof numbersOf>>()
  return {
    take(entity) {
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
      // Other callers can use up a small block.
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
