// The gateway as the reference network sees it: a payment is decided once, however often its notice comes.
import { inThisTrace, type NewEvent } from '../../../callbacks/index.ts'
import { crashPoint } from '../../../kernel/crash-points.ts'
import { newId } from '../../../kernel/random.ts'
import { countPaid } from '../../../operations/for-methods.ts'
import { underApproval } from '../../../operations/for-movements.ts'
import {
  findOperation,
  type NewOperation,
  type Operation,
  openedOperation,
} from '../../../operations/index.ts'
import type { PaymentAnswer, PaymentRefusal, ReferencePayee, ReferencePayment } from '../../../rails/index.ts'
import { batched } from '../../../storage/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import { userErrorEvent } from '../events.ts'
import type { BankReference, UserError } from '../model.ts'
import { findWalletOfRequest, isBeingMade } from '../providers/requests-store.ts'
import { judgePayment, stateOf } from '../rules.ts'
import { findReferenceForPayer, findReferenceOfProvider } from '../store.ts'
import {
  type AcceptedPayment,
  findNotice,
  insertAcceptedPayments,
  insertRefusedPayments,
  type RefusedPayment,
} from './notices-store.ts'

/** A round is lost only to another settlement of the same operation, which is final. */
const roundsMax = 3

export function createPayee(deps: MultibancoDeps): ReferencePayee {
  const { database, clock, random, wallets, settle, suspense } = deps
  const accept = batched<AcceptedPayment, boolean>({
    database,
    aggregateOf: ({ payment }) => payment.id,
    write: (rows) => insertAcceptedPayments(database, rows),
  })
  const recordRefusal = batched<RefusedPayment, boolean>({
    database,
    aggregateOf: ({ payment }) => payment.id,
    write: (rows) => insertRefusedPayments(database, rows),
  })

  async function find(payment: ReferencePayment): Promise<BankReference | undefined> {
    const { key } = payment
    return key === undefined
      ? findReferenceForPayer(database, payment)
      : findReferenceOfProvider(database, key)
  }

  /**
   * The reference whose provider was faster than the gateway's own note of it.
   *
   * @throws while it is still being made: the payment is to be reported again
   */
  async function findOnceMade(payment: ReferencePayment): Promise<BankReference | undefined> {
    if (payment.key === undefined) return undefined
    if (await isBeingMade(database, payment.key))
      throw new Error(`the reference of payment ${payment.id} is still being made`)
    return find(payment)
  }

  async function receive(payment: ReferencePayment): Promise<PaymentAnswer> {
    if (payment.isTaken !== true && payment.key === undefined) return answerTo(payment)
    const kept = await suspense.reasonOf(payment.id)
    if (kept !== undefined) return refused(kept as PaymentRefusal)
    const answer = await answerTo(payment)
    if (answer.kind === 'accepted') return answer
    // Another notice of the same payment may have been accepted before the reference ended.
    const known = await answerGivenBefore(payment)
    return known?.kind === 'accepted' ? known : keepInSuspense(payment, answer)
  }

  /** The network has taken it: refusing it gives nothing back. */
  async function keepInSuspense(
    payment: ReferencePayment,
    answer: Extract<PaymentAnswer, { kind: 'refused' }>,
  ): Promise<PaymentAnswer> {
    const { id: paymentId, key: referenceKey, entity, ref, amount, paidAt } = payment
    const walletId = (await find(payment))?.walletId ?? (await walletOfRequest(referenceKey))
    await suspense.hold({
      ...{ method: 'MB', paymentId, referenceKey, reference: `${entity} ${ref}`, amount, paidAt },
      ...{ reason: answer.reason, walletId },
    })
    return answer
  }

  async function walletOfRequest(key: string | undefined): Promise<bigint | undefined> {
    return key === undefined ? undefined : findWalletOfRequest(database, key)
  }

  async function answerTo(payment: ReferencePayment): Promise<PaymentAnswer> {
    const known = await answerGivenBefore(payment)
    if (known !== undefined) return known
    const reference = (await find(payment)) ?? (await findOnceMade(payment))
    if (reference === undefined) return refused('unknown_reference')
    for (let round = 0; round < roundsMax; round++) {
      const answer = await decide(payment, reference)
      if (answer !== undefined) return answer
    }
    throw new Error(`payment ${payment.id} found no decision in ${roundsMax} rounds`)
  }

  /** The first answer to a payment that has a row of its own; others are known by the operation they completed. */
  async function answerGivenBefore({ id }: ReferencePayment): Promise<PaymentAnswer | undefined> {
    const notice = await findNotice(database, id)
    if (notice === undefined) return undefined
    if (notice.kind === 'refused') return refused(notice.userError)
    const { walletId, operationId } = notice
    const operation = await findOperation(database, walletId, operationId)
    if (operation?.status === 'PENDING') await complete(operation, operationId)
    return { kind: 'accepted', operationId }
  }

  /** Undefined when something else happened to the operation meanwhile: to be decided again. */
  async function decide(
    payment: ReferencePayment,
    reference: BankReference,
  ): Promise<PaymentAnswer | undefined> {
    const { operationId, walletId } = reference
    const operation =
      operationId === undefined ? undefined : await findOperation(database, walletId, operationId)
    const judged = judgePayment(reference, operation, payment)
    if (judged.kind === 'refuse') {
      const { reason } = judged
      const isUserError = judged.isUserError && (reason === 'badamount' || reason === 'duplicatepayment')
      return isUserError ? refuseWithEvent(payment, reference, operation, reason) : refused(reason)
    }
    if (operation === undefined) return acceptRecurring(payment, reference)
    if (judged.kind === 'repeated') return { kind: 'accepted', operationId: operation.id }
    const guard = { kind: 'awaited_attempt', attemptId: reference.id } as const
    await count(operation)
    const settled = await settle(operation, { status: 'COMPLETED', guard, railPaymentId: payment.id })
    return settled === undefined ? undefined : { kind: 'accepted', operationId: settled.id }
  }

  async function acceptRecurring(
    payment: ReferencePayment,
    reference: BankReference,
  ): Promise<PaymentAnswer | undefined> {
    const operation = recurringPayment(payment, reference)
    if (await accept({ payment, reference, operation })) {
      crashPoint('reference payment taken, not settled')
      await complete(openedOperation(operation), operation.id)
      return { kind: 'accepted', operationId: operation.id }
    }
    return (await answerGivenBefore(payment)) ?? refused('deleted')
  }

  function recurringPayment(payment: ReferencePayment, reference: BankReference): NewOperation {
    const now = clock.now()
    const id = newId(now, random)
    const { extInvoiceId, extEmail, extCustomerId } = reference
    return underApproval({
      id,
      walletId: reference.walletId,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'MB',
      amount: payment.amount,
      currency: 'EUR',
      channel: 'API',
      mb: { entity: reference.entity, ref: reference.ref },
      extInvoiceId,
      extEmail,
      extCustomerId,
      createdAt: now,
    })
  }

  /** The customer has paid: no limit refuses it, and it is counted to the day all the same. */
  async function count({ walletId, id: operationId, amount }: Operation): Promise<void> {
    await countPaid(deps, await wallets.get(walletId), { operationId, amount })
  }

  async function complete(operation: Operation, attemptId: string): Promise<void> {
    await count(operation)
    await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId } })
  }

  async function refuseWithEvent(
    payment: ReferencePayment,
    reference: BankReference,
    operation: Operation | undefined,
    userError: UserError,
  ): Promise<PaymentAnswer> {
    const decidedAt = clock.now()
    const wallet = await wallets.get(reference.walletId)
    const event: NewEvent = inThisTrace(
      userErrorEvent(
        { payment, reference, operation, userError, at: decidedAt },
        wallet,
        newId(decidedAt, random),
      ),
    )
    const isNew = await recordRefusal({ payment, reference, userError, event, decidedAt })
    if (isNew) deps.callbacks.wake()
    return refused(userError)
  }

  return {
    receive,
    async beneficiaryOf(name) {
      const reference = await findReferenceForPayer(database, name)
      if (reference === undefined) return undefined
      const { operationId, walletId } = reference
      const operation =
        operationId === undefined ? undefined : await findOperation(database, walletId, operationId)
      const state = stateOf(reference, operation, clock.now())
      return state === 'deleted' ? undefined : (await wallets.get(walletId)).name
    },
  }
}

function refused(reason: Extract<PaymentAnswer, { kind: 'refused' }>['reason']): PaymentAnswer {
  return { kind: 'refused', reason }
}
