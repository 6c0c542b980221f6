// Checks that operations change only along allowed steps, and that a final status stays.
import type { Json } from '../world/notes.ts'
import type { Books } from './books.ts'
import type { Notes, Sighting } from './notes.ts'

const ranks: Readonly<Record<string, number>> = { NEW: 0, PENDING: 1, COMPLETED: 2, FAIL: 2, VOIDED: 2 }
const fixed = ['type', 'amount', 'currency', 'parent', 'ext_invoiceid', 'date'] as const

const isFinal = (status: string) => ranks[status] === 2

export function checkStatuses({ sightings }: Notes, books: readonly Books[]): string[] {
  const wrong: string[] = []
  const owners = new Map<string, number>()
  for (const { merchant, operations } of books)
    for (const operation of operations) {
      const { id, status } = operation
      if (owners.has(id))
        wrong.push(`operation ${id} is in the lists of wallets ${owners.get(id)} and ${merchant.wallet_id}`)
      owners.set(id, merchant.wallet_id)
      if (!isFinal(status))
        wrong.push(
          `operation ${id} (${operation.type}, ${operation.method}) is ${status} after everything had time to end`,
        )
      wrong.push(...checkSightings(operation, sightings.get(id) ?? [], merchant.wallet_id))
    }
  for (const [id, [first]] of sightings)
    if (!owners.has(id))
      wrong.push(`operation ${id} of wallet ${first?.walletId} was answered once, and is in no list`)
  return wrong
}

function checkSightings(now: Json, sightings: readonly Sighting[], walletId: number): string[] {
  const end: Sighting = {
    walletId,
    operation: now,
    asked: Number.POSITIVE_INFINITY,
    answered: Number.POSITIVE_INFINITY,
  }
  const all = [...sightings, end]
  const wrong = checkOrder(all)
  const finals = new Set(all.filter((one) => rankOf(one) === 2).map(({ operation }) => operation.status))
  if (finals.size > 1) wrong.push(`operation ${now.id} had two ends: ${[...finals].join(' and ')}`)
  for (const { operation, walletId: shownTo } of sightings) {
    if (shownTo !== walletId)
      wrong.push(`operation ${now.id} of wallet ${walletId} was shown to wallet ${shownTo}`)
    for (const field of fixed)
      if (operation[field] !== now[field])
        wrong.push(`operation ${now.id}: ${field} was ${operation[field]}, and is ${now[field]}`)
  }
  return [...new Set(wrong)]
}

/** Checks that a later answer never shows an earlier state. */
function checkOrder(all: readonly Sighting[]): string[] {
  const wrong: string[] = []
  const byAnswer = [...all].sort((one, other) => one.answered - other.answered)
  let known: Sighting | undefined
  let next = 0
  for (const sighting of [...all].sort((one, other) => one.asked - other.asked)) {
    for (
      let before = byAnswer[next];
      before !== undefined && before.answered < sighting.asked;
      before = byAnswer[next]
    ) {
      if (known === undefined || rankOf(before) > rankOf(known)) known = before
      next += 1
    }
    if (known !== undefined && rankOf(sighting) < rankOf(known)) wrong.push(moved(known, sighting))
  }
  return wrong
}

const rankOf = ({ operation }: Sighting) => ranks[operation.status] ?? -1

function moved(before: Sighting, after: Sighting): string {
  return `operation ${before.operation.id} went from ${before.operation.status} back to ${after.operation.status}`
}
