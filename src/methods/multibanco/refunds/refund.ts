// Refunds of bank references: transfers to an account that the merchant or the payer names.
import { addBankOrder } from '../../../bank-files/index.ts'
import { crashPoint } from '../../../kernel/crash-points.ts'
import { type Day, lisbonDayOf } from '../../../kernel/lisbon.ts'
import { cents } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/result.ts'
import { createSigner } from '../../../kernel/signatures.ts'
import { nextTargetDay } from '../../../kernel/target-days.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { approvedAtOnce } from '../../../operations/for-methods.ts'
import type { RailHandler } from '../../../operations/for-movements.ts'
import type { AccountRefunds, BankAccount } from '../../../operations/for-refunds.ts'
import { findOperation, type Operation } from '../../../operations/index.ts'
import { payoutRail, withinPayoutLimit } from '../../../payouts/index.ts'
import type { RailAnswer } from '../../../rails/index.ts'
import type { Executor } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { factsOf } from '../../list.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { AccountRefund } from './model.ts'
import { pageEnded, pageEnds, readAccount, sendDayOf } from './rules.ts'
import { findAccountRefund, insertAccountRefund, markEnded, markNamed } from './store.ts'

export const refundPath = '/refund'

interface Ordered {
  readonly wallet: Wallet
  readonly party: BankAccount
  readonly sendOn: Day
  readonly at: Instant
}

type Refund = Pick<Operation, 'id' | 'walletId' | 'amount' | 'currency'>

export interface ReferenceRefunds {
  readonly rail: RailHandler
  /** The path of the page on which the payer names the account. */
  pathOf(refundId: string): string
  urlOf(refundId: string): string
  isSigned(refundId: string, signature: string): boolean
  /** Uses the page up and orders the transfer. False if the page cannot be used. */
  nameAccount(refund: Operation, account: BankAccount): Promise<boolean>
}

/** Links are signed and not stored: a copy of the database names no account. */
export function createReferenceRefunds(deps: MultibancoDeps): ReferenceRefunds {
  const { database, clock, wallets } = deps
  const { mail, engine, bank } = deps.refunding
  const signer = createSigner(deps.keyring, 'refund pages')
  const byTransfer = payoutRail({ database, rail: bank })
  const secretOf = (id: string) => signer.sign(id.toLowerCase())
  const pathOf = (id: string) => `${refundPath}/${id}/${secretOf(id)}`
  const urlOf = (id: string) => `${deps.baseUrl}${pathOf(id)}`

  async function order(
    tx: Executor,
    refund: Refund,
    payment: Operation,
    { wallet, party, sendOn, at }: Ordered,
  ): Promise<void> {
    await addBankOrder(tx, {
      kind: 'transfer',
      id: refund.id,
      walletId: refund.walletId,
      operationId: refund.id,
      amount: cents(-refund.amount),
      currency: refund.currency,
      party,
      remittance: `Refund ${wallet.name}`,
      dueOn: nextTargetDay(sendOn),
      createdAt: at,
      refundOf: payment.id,
    })
  }

  const toAccount: AccountRefunds = {
    read(asked, wallet) {
      if (wallet.suspendedAt !== undefined) return suspended
      return hasBank(wallet) ? readAccount(asked) : noBank
    },
    pageEnds,
    async open(tx, refund, payment, { wallet, account: party }) {
      const { id, walletId, createdAt: at, expires: expiresAt } = refund
      if (party === undefined) {
        await insertAccountRefund(tx, { id, walletId, expiresAt })
        await mail.addRefundPage(tx, {
          ...{ walletId, id },
          details: {
            url: urlOf(id),
            amount: String(-refund.amount),
            expires: expiresAt && toTimestamp(expiresAt),
          },
        })
      } else {
        const sendOn = sendDayOf(payment.settledAt ?? payment.createdAt, at)
        await insertAccountRefund(tx, { id, walletId, namedAt: at, sendOn })
        await order(tx, refund, payment, { wallet, party, sendOn, at })
      }
      await withinPayoutLimit(tx, wallet, refund)
    },
    secretOf,
    fieldsOf: ({ id, status, expires }) =>
      status === 'PENDING' && expires !== undefined ? { refund_url: urlOf(id) } : {},
  }

  async function askBank({ walletId, id }: Pick<Refund, 'walletId' | 'id'>): Promise<RailAnswer> {
    const refund = await findAccountRefund(database, walletId, id)
    if (refund === undefined) throw new Error(`refund ${id} has no account and no page for it`)
    const now = clock.now()
    if (refund.sendOn === undefined) return answerOfPage(refund, now)
    // The money of the payment has not arrived yet.
    if (lisbonDayOf(now) < refund.sendOn) return { kind: 'unknown' }
    const request = { walletId, operationId: id, key: id, type: 'REFUND', method: 'MB' } as const
    return byTransfer.inquire(request, undefined)
  }

  async function answerOfPage(refund: AccountRefund, now: Instant): Promise<RailAnswer> {
    const ended = refund.endedAt !== undefined || (await markEnded(database, refund, now))
    return ended ? { kind: 'declined', reason: pageEnded } : { kind: 'unknown' }
  }

  return {
    rail: {
      refund: (refund) => askBank(refund),
      inquire: (request, operation) =>
        request.type === 'REFUND' ? askBank(operation ?? { ...request, id: request.key }) : approvedAtOnce(),
      toAccount,
    },
    pathOf,
    urlOf,
    isSigned: (id, signature) => signer.matches(id.toLowerCase(), signature),

    async nameAccount(refund, party) {
      const { walletId, parentId } = refund
      const payment = parentId === undefined ? undefined : await findOperation(database, walletId, parentId)
      if (payment === undefined) throw new Error(`refund ${refund.id} has no payment`)
      const wallet = await wallets.get(walletId)
      const at = clock.now()
      const sendOn = sendDayOf(payment.settledAt ?? payment.createdAt, at)
      const isNamed = await database.transaction(async (tx) => {
        if (!(await markNamed(tx, refund, sendOn, at))) return false
        await order(tx, refund, payment, { wallet, party, sendOn, at })
        return true
      })
      crashPoint('account of a refund named, bank not asked')
      if (isNamed) await engine.inquire(refund)
      return isNamed
    },
  }
}

/** Refunds over the rail of the payment stay possible, because they return the money to its payer. */
const suspended = refuse(
  'access_denied',
  'the operator has suspended the merchant: refunds to a bank account do not work, as payouts',
)

const noBank = refuse(
  'rail_unavailable',
  'no bank for refunds by transfer is connected: see comporta rails list',
)

function hasBank({ unserved = [] }: Pick<Wallet, 'unserved'>): boolean {
  return !unserved.some((method) => factsOf(method).rails.includes('creditTransfer'))
}
