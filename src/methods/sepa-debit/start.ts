// Start of a debit: written with the bank's order, then sent.
import { addBankOrder } from '../../bank-files/index.ts'
import { recordEvents } from '../../callbacks/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { newId } from '../../kernel/random.ts'
import { nextTargetDay } from '../../kernel/target-days.ts'
import type { Instant } from '../../kernel/time.ts'
import {
  type CustomerEngine,
  findAttemptByPageToken,
  firstInquiry,
  operationEvent,
} from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import type { SepaDebitDeps } from './attempts.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails, DebitTerms, Debtor, DirectDebit } from './model.ts'
import { mandateIdOf } from './rules.ts'

export interface NewDebit {
  readonly operation: Operation
  readonly merchantName: string
  readonly pageToken: string
  readonly debtor: Debtor
  readonly email?: string | undefined
  readonly terms: DebitTerms
  readonly ip: string | undefined
  readonly userAgent: string | undefined
}

export async function startDebit(
  deps: SepaDebitDeps,
  engine: CustomerEngine<DebitDetails>,
  asked: NewDebit,
): Promise<boolean> {
  const { database, clock } = deps
  const { operation, pageToken } = asked
  const { walletId, id: operationId } = operation
  const known = await findAttemptByPageToken(database, sepaDebit.code, walletId, operationId, pageToken)
  if (known !== undefined) return true

  const wallet = await deps.wallets.get(walletId)
  const now = clock.now()
  const debit = await engine.begin(debitOf(deps, asked, now), {
    dueAt: firstInquiry(now),
    async afterInsert(tx, { key, amount, details }) {
      const { debtor: party, mandate, collectOn: dueOn, agent } = details
      if (agent === undefined)
        await addBankOrder(tx, {
          kind: 'collection',
          ...{ id: key, walletId, operationId, amount, currency: 'EUR' },
          ...{
            party,
            partyAddress: party.address,
            mandate,
            dueOn,
            remittance: asked.merchantName,
            createdAt: now,
          },
        })
      const pending = { ...operation, status: 'PENDING', method: sepaDebit.code, modifiedAt: now } as const
      await recordEvents(tx, [operationEvent(pending, wallet, newId(now, deps.random))])
    },
  })
  if (debit === undefined) return false
  deps.callbacks.wake()
  await engine.send(debit, now)
  return true
}

function debitOf({ random }: SepaDebitDeps, asked: NewDebit, now: Instant): DirectDebit {
  const { operation, pageToken, merchantName, debtor, email, ip, userAgent } = asked
  const { creditor, mandateText } = asked.terms
  const { creditorId, agent, makesMandate } = creditor
  const today = lisbonDayOf(now)
  const { walletId, id: operationId, type, amount, currency } = operation
  return {
    ...{ walletId, operationId, type, amount, currency, pageToken, merchantName },
    key: newId(now, random),
    method: sepaDebit.code,
    state: 'ASKED',
    tries: 0,
    owner: 'checkout',
    details: {
      ...{ debtor, email, agent },
      ...(makesMandate === 'by e-mail' && { isMandateSent: true }),
      mandate: {
        ...{ id: mandateIdOf(operationId), text: mandateText, creditorId },
        ...{ signedOn: today, signedFrom: ip, signedWith: userAgent },
      },
      collectOn: nextTargetDay(today),
    },
    createdAt: now,
    modifiedAt: now,
  }
}
