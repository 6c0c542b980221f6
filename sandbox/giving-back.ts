// Giving money back over the sandbox's rails: decided once per key, and never more than was paid.
import type { Randomness } from '../src/kernel/random.ts'
import type { GivenBack, GivesBack } from '../src/rails/index.ts'
import type { Database } from '../src/storage/index.ts'
import {
  declineGiveBack,
  findGivenBack,
  type GivenBackRow,
  type PaidBook,
  recordGiveBack,
  takeBack,
} from './giving-back-store.ts'

const referenceBytes = 8

/** The verbs of {@link GivesBack} over one of the books. */
export function givingBack(
  { database, random }: { readonly database: Database; readonly random: Randomness },
  book: PaidBook,
): GivesBack {
  return {
    async giveBack(request, signal) {
      const reference = Buffer.from(random.bytes(referenceBytes)).toString('hex').toUpperCase()
      const decided = await database.transaction(async (tx) => {
        signal?.throwIfAborted()
        const recorded = await recordGiveBack(tx, request, reference)
        if (recorded === undefined) return findGivenBack(tx, request.key)
        const decline = await takeBack(tx, book, request)
        if (decline !== null) await declineGiveBack(tx, request.key, decline)
        return { decline, reference }
      })
      if (decided === undefined) throw new Error(`nothing was written about ${request.key}`)
      return answerOf(decided)
    },
    async inquireGivenBack(key) {
      const decided = await findGivenBack(database, key)
      return decided === undefined ? { kind: 'not_found' } : answerOf(decided)
    },
  }
}

function answerOf({ decline, reference }: GivenBackRow): GivenBack {
  return decline === null ? { kind: 'approved', reference } : { kind: 'declined', reason: decline }
}
