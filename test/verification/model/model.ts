// The model: records requests, answers and callbacks, and judges them at the end.
import type { Merchant, Witness } from '../world/notes.ts'
import type { Wire } from '../world/wire.ts'
import { centsOf } from './arithmetic.ts'
import { readBooks, readUntilAnswered } from './books.ts'
import { checkCallbacks } from './callbacks.ts'
import { checkMoney } from './money.ts'
import { createNotes } from './notes.ts'
import { checkAllowances, checkBalancesPaid, checkConsumers, checkReferences } from './others.ts'
import { checkRequests } from './requests.ts'
import { checkStatuses } from './statuses.ts'
import { checkTenancy } from './tenancy.ts'

export interface Model {
  readonly witness: Witness
  counts(): { asked: number; unknownAnswer: number; callbacks: number }
  verdict(wire: Wire, merchants: readonly Merchant[]): Promise<string[]>
}

export function createModel(): Model {
  const { notes, witness } = createNotes()
  return {
    witness,
    counts: () => ({ ...notes.counts, callbacks: notes.receipts.length }),
    async verdict(wire, merchants) {
      const books = []
      for (const merchant of merchants) books.push(await readBooks(wire, merchant))
      const balances = new Map<string, number>()
      for (const email of notes.consumers.keys()) {
        const path = `/sandbox/api/consumers/${encodeURIComponent(email)}`
        balances.set(email, centsOf((await readUntilAnswered(wire, path)).balance))
      }
      return [
        ...notes.wrong,
        ...checkRequests(notes, books),
        ...checkStatuses(notes, books),
        ...checkMoney(notes, books),
        ...checkCallbacks(notes, books),
        ...checkReferences(notes, books),
        ...checkAllowances(books),
        ...checkConsumers(notes, balances),
        ...checkBalancesPaid(notes, balances, books),
        ...(await checkTenancy(wire, books)),
      ]
    },
  }
}
