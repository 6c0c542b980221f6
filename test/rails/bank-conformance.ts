// The conformance suite of banks for debits and transfers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { type CreditTransfer, callRail, type DirectDebit } from '../../src/rails/index.ts'
import { itRefundsPayments } from './refunds-conformance.ts'

export interface BankUnderTest {
  readonly directDebit: DirectDebit
  /** Absent: it only collects. */
  readonly creditTransfer?: CreditTransfer
  /** `silent`: an account without an immediate answer. */
  readonly ibans: { readonly paid: string; readonly returned: string; readonly silent?: string }
  /** Refunds wait until they are booked. */
  readonly byFiles?: true
  /** The due day of debits, and a way to reach it. */
  readonly dueOn: string
  untilDue(): Promise<void>
  close(): Promise<void>
}

const silenceMs = 300
const mandate = {
  ...{ id: 'CMP-1', signedOn: '2026-11-20' },
  ...{ signedFrom: '203.0.113.7', signedWith: 'Mozilla/5.0' },
}

function transfersOf({ creditTransfer }: BankUnderTest): CreditTransfer {
  if (creditTransfer === undefined) throw new Error('it only collects')
  return creditTransfer
}

/** Tests {@link DirectDebit} and {@link CreditTransfer}. */
export function describeBank(
  name: string,
  make: () => Promise<BankUnderTest>,
  { transfers = true }: { readonly transfers?: boolean } = {},
): void {
  describe(`${name} as a bank`, () => {
    let tested: BankUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    const collection = (iban: string) => ({
      key: randomUUID(),
      reference: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      debtor: { name: 'Ana Sousa', iban, email: 'ana@example.com' },
      mandate: { ...mandate, creditorId: tested.directDebit.creditorOf(1001n).creditorId },
      amount: cents(1000),
      currency: 'EUR',
      dueOn: tested.dueOn,
    })
    const transfer = (iban: string) => ({
      key: randomUUID(),
      reference: randomUUID(),
      beneficiary: { name: 'Demo Shop', iban },
      amount: cents(1000),
      currency: 'EUR',
    })

    /** The two ports move money in opposite directions. */
    const orders = {
      'a debit': {
        order: (iban: string) => collection(iban),
        send: (order: ReturnType<typeof collection>) => tested.directDebit.collect(order),
        inquire: (key: string) => tested.directDebit.inquire(key),
      },
      'a transfer': {
        order: (iban: string) => transfer(iban),
        send: (order: ReturnType<typeof transfer>) => transfersOf(tested).send(order),
        inquire: (key: string) => transfersOf(tested).inquire(key),
      },
    } as const

    it.each(transfers ? (['a debit', 'a transfer'] as const) : (['a debit'] as const))(
      '%s waits for its day, and then stands as it fell, however often it is asked',
      async (kind) => {
        const { order, inquire } = orders[kind]
        const send = orders[kind].send as (order: unknown) => Promise<unknown>
        const { paid, returned, silent } = tested.ibans
        const [good, bad, mute] = [order(paid), order(returned), order(silent ?? paid)]
        expect(await send(good)).toEqual({ kind: 'waiting' })
        expect(await send(good)).toEqual({ kind: 'waiting' })
        expect(await send(bad)).toEqual({ kind: 'waiting' })
        const first = silent === undefined ? 'waiting' : 'unknown'
        expect(await callRail(() => send(mute), undefined, silenceMs)).toMatchObject({ kind: first })
        expect(await inquire(mute.key)).toEqual({ kind: 'waiting' })
        expect(await inquire(randomUUID())).toEqual({ kind: 'not_found' })
        await tested.untilDue()
        const fallen = { kind: 'returned', reason: 'insufficient_funds' }
        expect(await Promise.all(Array.from({ length: 5 }, () => inquire(good.key)))).toEqual(
          Array.from({ length: 5 }, () => ({ kind: 'paid' })),
        )
        expect(await inquire(bad.key)).toEqual(fallen)
        expect(await inquire(mute.key)).toEqual({ kind: 'paid' })
        expect(await send(bad)).toEqual(fallen)
      },
    )

    describe('refunds of debits', () => {
      itRefundsPayments(
        () => tested.directDebit,
        async () => {
          const asked = collection(tested.ibans.paid)
          await tested.directDebit.collect(asked)
          await tested.untilDue()
          expect(await tested.directDebit.inquire(asked.key)).toEqual({ kind: 'paid' })
          return asked.key
        },
        () => tested.byFiles === true,
      )
    })
  })
}
