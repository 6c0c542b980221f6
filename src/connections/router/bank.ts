// The bank over a connection: direct debits, transfers, and the account they are booked on.
import type { CreditorAccount, CreditTransfer, DirectDebit } from '../../rails/index.ts'
import type { Connections } from '../connections.ts'
import { RailNotServed, type Router, unknownPayment } from './routes.ts'

/** Banks are never asked under a key that was cancelled: nothing cancels one. */
const neverSent = { kind: 'unclear', why: 'the key was cancelled' } as const

export function directDebitOf(router: Router): DirectDebit {
  const name = 'directDebit'
  return {
    collect: (collection, signal) =>
      router.start(
        name,
        { key: collection.key, walletId: undefined, signal },
        (bank) => bank.collect(collection, signal),
        neverSent,
      ),
    inquire: (key) => router.inquire(name, key, (bank) => bank.inquire(key)),
    refund: (request, signal) =>
      router.follow(
        name,
        { key: request.key, original: request.of, signal },
        (bank) => bank.refund(request, signal),
        { unknown: unknownPayment, cancelled: unknownPayment },
      ),
    inquireRefund: (key) => router.inquire(name, key, (bank) => bank.inquireRefund(key)),
  }
}

export function creditTransferOf(router: Router): CreditTransfer {
  const name = 'creditTransfer'
  return {
    send: (order, signal) =>
      router.start(
        name,
        { key: order.key, walletId: undefined, signal },
        (bank) => bank.send(order, signal),
        neverSent,
      ),
    inquire: (key) => router.inquire(name, key, (bank) => bank.inquire(key)),
  }
}

/** That of the connection to the gateway's bank, as it is when it is read. */
export function creditorAccountOf(connections: Connections): CreditorAccount {
  function account(): CreditorAccount {
    const connection = connections.lastServing('directDebit') ?? connections.lastServing('creditTransfer')
    const found = connection && connections.railsOf(connection).creditorAccount
    if (found === undefined) throw new RailNotServed('creditTransfer')
    return found
  }
  return {
    get name() {
      return account().name
    },
    get iban() {
      return account().iban
    },
    get bic() {
      return account().bic
    },
    get creditorId() {
      return account().creditorId
    },
    get formats() {
      return account().formats
    },
  }
}
