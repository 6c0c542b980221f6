// Preview of settling: computes the postings and writes nothing.
import { amountOnWire } from '../../http/index.ts'
import { cents } from '../../kernel/money.ts'
import type { AccountName, Posting } from '../../ledger/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { NewOperation, Operation } from '../model.ts'
import { openedOperation } from '../open/open.ts'
import type { SettleDeps } from './model.ts'
import { settlementRow } from './settle.ts'

export interface Preview {
  readonly settled: Operation
  readonly postings: readonly Posting[]
}

export type PreviewSettlement = (operation: NewOperation) => Promise<Preview>

/** Shows postings to `wallet`, with the public ids of other merchants. */
export type ShowPostings = (postings: readonly Posting[], wallet: Pick<Wallet, 'id'>) => Promise<object[]>

export function createPreview(deps: SettleDeps): PreviewSettlement {
  return async (operation) => {
    const opened = openedOperation(operation)
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    return settlementRow(deps, opened, { status: 'COMPLETED', guard, silent: true })
  }
}

export function createShowPostings({ wallets }: Pick<SettleDeps, 'wallets'>): ShowPostings {
  async function accountOnWire({ walletId, kind }: AccountName, own: Pick<Wallet, 'id'>) {
    const isOthers = kind === 'merchant' && walletId !== own.id
    return isOthers ? { account: kind, public_id: (await wallets.get(walletId)).publicId } : { account: kind }
  }

  return (postings, own) =>
    Promise.all(
      postings.map(async ({ debit, credit, amount }) => ({
        debit: await accountOnWire(debit, own),
        credit: await accountOnWire(credit, own),
        amount: amountOnWire(cents(amount)),
      })),
    )
}
