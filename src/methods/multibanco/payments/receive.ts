// Decisions about payments that the reference network reports.
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
import { findWalletOfRequest, isBeingMade } from '../requests-store.ts'
import { judgePayment, stateOf } from '../rules.ts'
import { findReferenceForPayer, findReferenceOfProvider } from '../store.ts'
import {
  type AcceptedPayment,
  findNotice,
  insertAcceptedPayments,
  insertRefusedPayments,
  type RefusedPayment,
} from './notices-store.ts'

/** A retry follows only if another process has settled the operation for good. */
const roundsMax = 3

interface Context extends MultibancoDeps {
  accept(payment: AcceptedPayment): Promise<boolean>
  recordRefusal(payment: RefusedPayment): Promise<boolean>
}

export function createPayee(deps: MultibancoDeps): ReferencePayee {
  const { database, clock, wallets } = deps
  const context: Context = {
    ...deps,
    accept: batched<AcceptedPayment, boolean>({
      database,
      aggregateOf: ({ payment }) => payment.id,
      write: (rows) => insertAcceptedPayments(database, rows),
    }),
    recordRefusal: batched<RefusedPayment, boolean>({
      database,
      aggregateOf: ({ payment }) => payment.id,
      write: (rows) => insertRefusedPayments(database, rows),
    }),
  }
  return {
    receive: (payment) => receive(context, payment),
    async beneficiaryOf(name) {
      const reference = await findReferenceForPayer(database, name)
      if (reference === undefined) return undefined
      const operation = await operationOf(context, reference)
      const state = stateOf(reference, operation, clock.now())
      return state === 'deleted' ? undefined : (await wallets.get(reference.walletId)).name
    },
  }
}

async function operationOf({ database }: MultibancoDeps, { operationId, walletId }: BankReference) {
  return operationId === undefined ? undefined : findOperation(database, walletId, operationId)
}

async function find({ database }: Context, payment: ReferencePayment): Promise<BankReference | undefined> {
  const { key } = payment
  return key === undefined ? findReferenceForPayer(database, payment) : findReferenceOfProvider(database, key)
}

async function findOnceMade(deps: Context, payment: ReferencePayment): Promise<BankReference | undefined> {
  const { database } = deps
  if (payment.key === undefined) return undefined
  if (await isBeingMade(database, payment.key))
    throw new Error(`the reference of payment ${payment.id} is still being made`)
  return find(deps, payment)
}

async function receive(deps: Context, payment: ReferencePayment): Promise<PaymentAnswer> {
  const { suspense } = deps
  if (payment.isTaken !== true && payment.key === undefined) return answerTo(deps, payment)
  const kept = await suspense.reasonOf(payment.id)
  if (kept !== undefined) return refused(kept as PaymentRefusal)
  const answer = await answerTo(deps, payment)
  if (answer.kind === 'accepted') return answer
  const known = await answerGivenBefore(deps, payment)
  return known?.kind === 'accepted' ? known : keepInSuspense(deps, payment, answer)
}

async function keepInSuspense(
  deps: Context,
  payment: ReferencePayment,
  answer: Extract<PaymentAnswer, { kind: 'refused' }>,
): Promise<PaymentAnswer> {
  const { database, suspense } = deps
  const { id: paymentId, key: referenceKey, entity, ref, amount, paidAt } = payment
  const walletId =
    (await find(deps, payment))?.walletId ??
    (referenceKey === undefined ? undefined : await findWalletOfRequest(database, referenceKey))
  await suspense.hold({
    ...{ method: 'MB', paymentId, referenceKey, reference: `${entity} ${ref}`, amount, paidAt },
    ...{ reason: answer.reason, walletId },
  })
  return answer
}

async function answerTo(deps: Context, payment: ReferencePayment): Promise<PaymentAnswer> {
  const known = await answerGivenBefore(deps, payment)
  if (known !== undefined) return known
  const reference = (await find(deps, payment)) ?? (await findOnceMade(deps, payment))
  if (reference === undefined) return refused('unknown_reference')
  for (let round = 0; round < roundsMax; round++) {
    const answer = await decide(deps, payment, reference)
    if (answer !== undefined) return answer
  }
  throw new Error(`payment ${payment.id} found no decision in ${roundsMax} rounds`)
}

/** Reads the answer from the payment's own row. A payment without one is found by its operation. */
async function answerGivenBefore(
  deps: Context,
  { id }: ReferencePayment,
): Promise<PaymentAnswer | undefined> {
  const { database } = deps
  const notice = await findNotice(database, id)
  if (notice === undefined) return undefined
  if (notice.kind === 'refused') return refused(notice.userError)
  const { walletId, operationId } = notice
  const operation = await findOperation(database, walletId, operationId)
  if (operation?.status === 'PENDING') await complete(deps, operation, operationId)
  return { kind: 'accepted', operationId }
}

async function decide(
  deps: Context,
  payment: ReferencePayment,
  reference: BankReference,
): Promise<PaymentAnswer | undefined> {
  const { settle } = deps
  const operation = await operationOf(deps, reference)
  const judged = judgePayment(reference, operation, payment)
  if (judged.kind === 'refuse') {
    const { reason } = judged
    const isUserError = judged.isUserError && (reason === 'badamount' || reason === 'duplicatepayment')
    return isUserError ? refuseWithEvent(deps, payment, reference, operation, reason) : refused(reason)
  }
  if (operation === undefined) return acceptRecurring(deps, payment, reference)
  if (judged.kind === 'repeated') return { kind: 'accepted', operationId: operation.id }
  const guard = { kind: 'awaited_attempt', attemptId: reference.id } as const
  await count(deps, operation)
  const settled = await settle(operation, { status: 'COMPLETED', guard, railPaymentId: payment.id })
  return settled === undefined ? undefined : { kind: 'accepted', operationId: settled.id }
}

async function acceptRecurring(
  deps: Context,
  payment: ReferencePayment,
  reference: BankReference,
): Promise<PaymentAnswer | undefined> {
  const { accept } = deps
  const operation = recurringPayment(deps, payment, reference)
  if (await accept({ payment, reference, operation })) {
    crashPoint('reference payment taken, not settled')
    await complete(deps, openedOperation(operation), operation.id)
    return { kind: 'accepted', operationId: operation.id }
  }
  return (await answerGivenBefore(deps, payment)) ?? refused('deleted')
}

function recurringPayment(
  { clock, random }: Context,
  payment: ReferencePayment,
  reference: BankReference,
): NewOperation {
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

/** Counts the payment in the day's total. It is never refused, because the customer has paid. */
async function count(deps: Context, { walletId, id: operationId, amount }: Operation): Promise<void> {
  const { wallets } = deps
  await countPaid(deps, await wallets.get(walletId), { operationId, amount })
}

async function complete(deps: Context, operation: Operation, attemptId: string): Promise<void> {
  const { settle } = deps
  await count(deps, operation)
  await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId } })
}

async function refuseWithEvent(
  { clock, random, wallets, callbacks, recordRefusal }: Context,
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
  if (isNew) callbacks.wake()
  return refused(userError)
}

function refused(reason: Extract<PaymentAnswer, { kind: 'refused' }>['reason']): PaymentAnswer {
  return { kind: 'refused', reason }
}
