// The gateway's notices, restricted to the keys of one connection.
import type { Notices } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { ConnectionRow } from '../model.ts'
import { findRequest } from '../requests-store.ts'

class NotOverThisConnection extends Error {
  readonly code = 'NOT_OVER_THIS_CONNECTION'

  constructor(what: string, connectionId: bigint) {
    super(`${what} did not go over connection ${connectionId}`)
    this.name = 'NotOverThisConnection'
  }
}

/**
 * Notices that only cause an inquiry pass unchanged. A booking must have a key that was sent over this
 * connection; otherwise it throws NOT_OVER_THIS_CONNECTION.
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
        if (key === undefined && walletId !== undefined)
          throw new NotOverThisConnection(`${entity} ${ref}`, id)
        const sentOver = key === undefined ? undefined : await connectionOf(key)
        if (sentOver !== undefined && sentOver !== id) throw new NotOverThisConnection(`${key}`, id)
        return notices.references.receive(payment)
      },
      beneficiaryOf: (name) => notices.references.beneficiaryOf(name),
    },
  }
}

export function noticesWithKeys(notices: Notices, note: (key: string) => void): Notices {
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
