// Handing out numbers: each process takes a block at a time, so that no two ever meet and none waits for another.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import type { ReferenceNumber } from '../model.ts'
import { reserveBlock, takeFreeNumbers } from './numbers-store.ts'

export const numbersPerEntity = 10_000_000
const blockSize = 1000
/** With fewer left than this the next block is fetched, before anybody has to wait for it. */
const refillBelow = 300
/** Beyond this many blocks without a free number the entity is as good as full. */
const blocksTriedMax = 20
/**
 * Steps through all numbers without meeting one twice, because it shares no factor with their count. Bills
 * that are made one after another differ in many digits, so a slip of the finger meets nobody else's.
 */
const stride = 6_180_339
const firstNumber = 2_718_281n

/** The number at a place of the endless sequence in which they are handed out. */
export function numberAt(place: bigint): ReferenceNumber {
  return Number((place * BigInt(stride) + firstNumber) % BigInt(numbersPerEntity))
}

export interface ReferenceNumbers {
  /** A number that nobody else gets. Refusals: service_unavailable when none is free. */
  take(): Promise<Result<ReferenceNumber>>
}

export function createReferenceNumbers(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  entity: string,
): ReferenceNumbers {
  let free: ReferenceNumber[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    for (let tried = 0; tried < blocksTriedMax; tried++) {
      const first = await reserveBlock(database, entity, blockSize)
      const numbers = Array.from({ length: blockSize }, (_, index) => numberAt(first + BigInt(index)))
      const found = await takeFreeNumbers(database, entity, numbers, clock.now())
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
    async take() {
      // Callers who came first may have taken all of a block that was all but full.
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
