// The gateway as one connection sees it: its provider reports only what was sent over it, and no merchant's provider speaks for others.
import type { Notices } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { ConnectionRow } from '../model.ts'
import { findRequest } from '../requests/requests-store.ts'

/** What a provider reports of a request that did not go over its connection: nothing is done, and the operator is shown it. */
class NotOverThisConnection extends Error {
  readonly code = 'NOT_OVER_THIS_CONNECTION'

  constructor(what: string, connectionId: bigint) {
    super(`${what} did not go over connection ${connectionId}`)
    this.name = 'NotOverThisConnection'
  }
}

/**
 * The notices of a connection. What is asked of its rail anyway passes as it is: the rail is that of the key. What is
 * booked as it is reported must be of a key that was sent over this connection. Each may throw NOT_OVER_THIS_CONNECTION.
 */
export function noticesOf(
  database: Database,
  { id, walletId }: Pick<ConnectionRow, 'id' | 'walletId'>,
  notices: Notices,
): Notices {
  async function connectionOf(key: string): Promise<bigint | undefined> {
    return (await findRequest(database, key))?.connectionId
  }
  const ownerOf = async (key: string) => (await findRequest(database, key))?.walletId

  async function mustBeOurs(key: string): Promise<void> {
    if ((await connectionOf(key)) !== id) throw new NotOverThisConnection(key, id)
  }

  return {
    ...notices,
    card: async (key) => notices.card(key, await ownerOf(key)),
    mobileWallet: async (notice) => notices.mobileWallet(notice, await ownerOf(notice.key)),
    onlineWallet: async (key) => notices.onlineWallet(key, await ownerOf(key)),
    bankOrder: async (key) => notices.bankOrder(key, await ownerOf(key)),
    async incomingTransfer(transfer) {
      if (walletId !== undefined) throw new NotOverThisConnection('money on the account of the gateway', id)
      return notices.incomingTransfer(transfer)
    },
    async refundFailed(refund) {
      await mustBeOurs(refund.key)
      return notices.refundFailed(refund)
    },
    async dispute(dispute) {
      await mustBeOurs(dispute.key)
      return notices.dispute(dispute)
    },
    references: {
      async receive(payment) {
        const { key, entity, ref } = payment
        // Numbers of the gateway's own entity are paid over the gateway's own connection.
        if (key === undefined && walletId !== undefined)
          throw new NotOverThisConnection(`${entity} ${ref}`, id)
        // Of a key that nobody sent, the money is kept in suspense.
        const sentOver = key === undefined ? undefined : await connectionOf(key)
        if (sentOver !== undefined && sentOver !== id) throw new NotOverThisConnection(`${key}`, id)
        return notices.references.receive(payment)
      },
      beneficiaryOf: (name) => notices.references.beneficiaryOf(name),
    },
  }
}

/** The same notices; `note` is given the key of each, where it has one, before it is passed on. */
export function noticesNoting(notices: Notices, note: (key: string) => void): Notices {
  return {
    ...notices,
    card(key) {
      note(key)
      return notices.card(key)
    },
    mobileWallet(notice) {
      note(notice.key)
      return notices.mobileWallet(notice)
    },
    onlineWallet(key) {
      note(key)
      return notices.onlineWallet(key)
    },
    bankOrder(key) {
      note(key)
      return notices.bankOrder(key)
    },
    refundFailed(refund) {
      note(refund.key)
      return notices.refundFailed(refund)
    },
    dispute(dispute) {
      note(dispute.key)
      return notices.dispute(dispute)
    },
    references: {
      ...notices.references,
      receive(payment) {
        if (payment.key !== undefined) note(payment.key)
        return notices.references.receive(payment)
      },
    },
  }
}
