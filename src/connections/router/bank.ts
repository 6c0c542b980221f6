// Direct debits, transfers and the gateway's bank account over connections.
import type { Collection, CreditorAccount, CreditTransfer, DirectDebit } from '../../rails/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import { noPayment, RailNotServed, type Router } from './routes.ts'

const neverSent = { kind: 'unknown', why: 'the key was cancelled' } as const

export function directDebitOf(router: Router, connections: Connections): DirectDebit {
  const name = 'directDebit'
  const { start, follow, inquire } = router.over(name)

  /** The mandate's creditor counts: connections may have changed since the customer saw the page. */
  function authorizedBy({ merchant, mandate }: Collection): HeldConnection {
    const serving = connections.serving(name, merchant.id)
    const own = ({ row }: HeldConnection) => row.walletId === undefined || row.walletId === merchant.id
    const candidates = [...(serving ? [serving] : []), ...connections.all().filter(own)]
    const found = candidates.find((connection) => {
      if (connection.driver?.rails.includes(name) !== true) return false
      return router.railOf(name, connection).creditorOf(merchant.id).creditorId === mandate.creditorId
    })
    if (found === undefined) throw new RailNotServed(name)
    return found
  }

  return {
    creditorOf: (merchantId) =>
      router.railOf(name, connections.serving(name, merchantId)).creditorOf(merchantId),
    collect: async (collection, signal) => {
      const ask = (bank: DirectDebit) => bank.collect(collection, signal)
      return start(collection, signal, ask, neverSent, authorizedBy(collection))
    },
    inquire: (key) => inquire(key, (bank) => bank.inquire(key)),
    refund: (request, signal) =>
      follow(
        { key: request.key, original: request.of },
        signal,
        (bank) => bank.refund(request, signal),
        noPayment,
      ),
    inquireRefund: (key) => inquire(key, (bank) => bank.inquireRefund(key)),
  }
}

export function creditTransferOf(router: Router): CreditTransfer {
  const { start, inquire } = router.over('creditTransfer')
  return {
    send: (order, signal) => start(order, signal, (bank) => bank.send(order, signal), neverSent),
    inquire: (key) => inquire(key, (bank) => bank.inquire(key)),
  }
}

export function creditorAccountOf(connections: Connections): CreditorAccount {
  function account(): CreditorAccount {
    const accountOf = (connection: HeldConnection) => connections.railsOf(connection).creditorAccount
    const hasAccount = (connection: HeldConnection) => accountOf(connection) !== undefined
    const connection =
      connections.lastServing('directDebit', hasAccount) ??
      connections.lastServing('creditTransfer', hasAccount)
    const found = connection && accountOf(connection)
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
