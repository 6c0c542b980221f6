// BIZUM's requests to its rail.
import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import type { Core } from '../../module.ts'
import {
  type AttemptAnswer,
  addDetails,
  type CustomerAttempt,
  type CustomerEngine,
  type CustomerHandler,
  closedOperation,
  firstLook,
  keyOf,
  openOperation,
} from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type NewOperation, type Operation, type Settle } from '../../operations/index.ts'
import { callRail, type OnlineWallet, railAnswerOfRefund, type WalletAnswer } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { bizum } from './facts.ts'

export interface BizumDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'baseUrl'> {
  readonly settle: Settle
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: OnlineWallet
}

export interface BizumDetails {
  readonly phone: string
  readonly approveUrl?: string | undefined
}

export function bizumHandler(deps: BizumDeps): CustomerHandler<BizumDetails> {
  const { rail } = deps
  const inquire = (key: string) => callRail(() => rail.inquire(key))
  return {
    method: bizum.code,
    purposes: { checkout: openOperation(deps), direct: closedOperation(deps) },
    whenNotReceived: 'send again',
    notReceived: 'expired',
    async look({ key }) {
      const answer = await inquire(key)
      if (answer.kind === 'agreed' || answer.kind === 'paid') return { kind: 'ask' }
      if (answer.kind === 'declined') return answer
      return answer.kind === 'not_found' ? { kind: 'declined', reason: 'expired' } : { kind: 'wait' }
    },
    ask: async ({ key }, beforeSend) =>
      answerOf(await callRail((signal) => rail.capture(key, signal), undefined, beforeSend)),
    inquire: async ({ key }) => answerOf(await inquire(key)),
  }
}

function answerOf(answer: WalletAnswer | { readonly kind: 'not_found' }): AttemptAnswer {
  if (answer.kind === 'paid') return { kind: 'approved', reference: answer.reference }
  if (answer.kind === 'declined') return answer
  return { kind: answer.kind === 'agreed' ? 'not_found' : 'unknown' }
}

export interface BizumOrder {
  readonly operation: Pick<NewOperation | Operation, 'id' | 'walletId' | 'type' | 'amount' | 'currency'>
  readonly owner: 'checkout' | 'direct'
  readonly key?: string
  readonly token: string
  readonly phone: string
  readonly wallet: Wallet
  readonly language: 'pt' | 'en'
  readonly returnUrl: string
  open?(tx: Executor): Promise<boolean>
}

/** `unavailable` if the rail does not answer; undefined for a repetition. */
export async function startBizum(
  { database, clock, random, rail }: BizumDeps,
  engine: CustomerEngine<BizumDetails>,
  { operation, owner, token: pageToken, phone, wallet, open, language, returnUrl, key }: BizumOrder,
): Promise<string | undefined> {
  const { id: operationId, walletId, type, amount, currency } = operation
  const now = clock.now()
  const merchantName = wallet.name
  const attempt: CustomerAttempt<BizumDetails> = {
    ...{ walletId, operationId, type, amount, currency, merchantName, pageToken, owner },
    ...{ key: key ?? newId(now, random), method: bizum.code, state: 'OPEN', tries: 0, details: { phone } },
    ...{ createdAt: now, modifiedAt: now },
  }
  if ((await engine.begin(attempt, { dueAt: firstLook(now), insertTarget: open })) === undefined)
    return undefined
  const merchant = { id: walletId, name: merchantName }
  const order = { key: attempt.key, reference: operationId, merchant, amount, currency, returnUrl, language }
  const answer = await callRail((signal) => rail.open(order, signal))
  if (answer.kind !== 'open') return 'unavailable'
  await addDetails(database, attempt, { approveUrl: answer.approveUrl })
  return answer.approveUrl
}

export function bizumRail({ database, rail }: BizumDeps): RailHandler {
  const refund = async ({ id: key, amount, currency }: BizumOrder['operation'], payment: Operation) => {
    const asked = { key, of: keyOf(payment), amount: cents(-amount), currency }
    return railAnswerOfRefund(await callRail((signal) => rail.refund(asked, signal)))
  }
  return {
    refund,
    async inquire({ key, walletId }, operation) {
      const known = await callRail(() => rail.inquireRefund(key))
      if (known.kind !== 'not_found' || operation?.parentId === undefined) return railAnswerOfRefund(known)
      const payment = await findOperation(database, walletId, operation.parentId)
      return payment === undefined ? { kind: 'unknown' } : refund(operation, payment)
    },
  }
}
