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
  /** The debtor's answer to the mandate that the agent e-mailed, by the key of the debit. */
  answerMandate?(key: string, answer: 'accept' | 'refuse'): Promise<void>
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
        const waiting = expect.objectContaining({ kind: 'waiting' })
        expect(await send(good)).toEqual(waiting)
        expect(await send(good)).toEqual(waiting)
        expect(await send(bad)).toEqual(waiting)
        const first = silent === undefined ? 'waiting' : 'unknown'
        expect(await callRail(() => send(mute), silenceMs)).toMatchObject({ kind: first })
        expect(await inquire(mute.key)).toEqual(waiting)
        expect(await inquire(randomUUID())).toEqual({ kind: 'not_found' })
        if (kind === 'a debit')
          for (const { key } of [good, bad, mute]) await tested.answerMandate?.(key, 'accept')
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

    it('collects after the debtor accepts the agent’s mandate, and shows its id', async () => {
      const { directDebit, answerMandate } = tested
      const { makesMandate } = directDebit.creditorOf(1001n)
      expect(makesMandate === 'by e-mail').toBe(answerMandate !== undefined)
      if (answerMandate === undefined) return
      const [good, bad] = [collection(tested.ibans.paid), collection(tested.ibans.paid)]
      for (const order of [good, bad]) await directDebit.collect(order)
      await tested.untilDue()
      const waiting = { kind: 'waiting', mandate: { id: expect.stringMatching(/./) } }
      expect(await directDebit.inquire(good.key)).toEqual(waiting)
      expect(await directDebit.collect(good)).toEqual(waiting)
      await answerMandate(good.key, 'accept')
      await answerMandate(bad.key, 'refuse')
      expect(await directDebit.inquire(bad.key)).toEqual({ kind: 'returned', reason: 'refused_by_debtor' })
      await tested.untilDue()
      expect(await directDebit.inquire(good.key)).toEqual({ kind: 'paid' })
    })

    describe('refunds of debits', () => {
      itRefundsPayments(
        () => tested.directDebit,
        async () => {
          const asked = collection(tested.ibans.paid)
          await tested.directDebit.collect(asked)
          await tested.answerMandate?.(asked.key, 'accept')
          await tested.untilDue()
          expect(await tested.directDebit.inquire(asked.key)).toEqual({ kind: 'paid' })
          return asked.key
        },
        () => tested.byFiles === true,
      )
    })
  })
}
