// The mobile wallet and the online wallet over connections.
import type {
  HoldAnswer,
  MobileWallet,
  MobileWalletLack,
  OnlineWallet,
  SavedAccounts,
  WalletFollowUp,
  WalletHolds,
} from '../../rails/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import { holdStands, noPayment, type Router } from './routes.ts'

const withdrawn = { kind: 'declined', decline: 'withdrawn' } as const
const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const
const accountEnded = { kind: 'declined', reason: 'account_ended' } as const
const notMoved = { unknown: notPermitted, cancelled: withdrawn } as const

/** The features that the provider of new requests lacks. Empty if there is no connection. */
export function mobileWalletLacks(
  connections: Pick<Connections, 'serving' | 'railsOf'>,
  walletId: bigint | undefined,
): readonly MobileWalletLack[] {
  const connection = connections.serving('mobileWallet', walletId)
  const wallet = connection && connections.railsOf(connection).mobileWallet
  return wallet?.lacks?.(walletId ?? 0n) ?? []
}

export function mobileWalletOf(router: Router, connections: Connections): MobileWallet {
  const { ofAny, start, follow, inquire, cancel } = router.over('mobileWallet')

  /** The connection that made the mandate, if it still takes new requests. */
  async function ofMandate(mandate: string | undefined): Promise<HeldConnection | undefined> {
    const route = mandate === undefined ? 'unknown' : await router.routeOf(mandate)
    return typeof route === 'string' || !route.connection.serves ? undefined : route.connection
  }

  const followUp =
    (verb: 'capture' | 'release' | 'refund'): MobileWallet[typeof verb] =>
    ({ payment: original, ...asked }: WalletFollowUp, signal) =>
      follow(
        { ...asked, original },
        signal,
        (wallet) => wallet[verb]({ payment: original, ...asked }, signal),
        notMoved,
      )

  return {
    lacks: (merchantId) => mobileWalletLacks(connections, merchantId),
    findCustomer: async (phone) => ofAny().findCustomer(phone),
    async requestPayment(request, signal) {
      const { key, merchant, opens } = request
      const ask = async (wallet: MobileWallet) => {
        const route = opens === undefined ? 'unknown' : await router.routeOf(key)
        if (opens !== undefined && typeof route !== 'string')
          await router.note('mobileWallet', merchant.id, opens.key, route.connection)
        signal?.throwIfAborted()
        return wallet.requestPayment(request, signal)
      }
      return start(request, signal, ask, withdrawn, await ofMandate(request.mandate))
    },
    inquirePayment: (key) => inquire(key, (wallet) => wallet.inquirePayment(key), withdrawn),
    withdrawPayment: (key, signal) => cancel(key, (wallet) => wallet.withdrawPayment(key, signal), withdrawn),
    requestMandate: (request, signal) =>
      start(request, signal, (wallet) => wallet.requestMandate(request, signal), withdrawn),
    withdrawMandate: (key, signal) => inquire(key, (wallet) => wallet.withdrawMandate(key, signal)),
    mandateHistory: (key, afterVersion) => inquire(key, (wallet) => wallet.mandateHistory(key, afterVersion)),
    cancelMandate: (key, signal) => inquire(key, (wallet) => wallet.cancelMandate(key, signal)),
    capture: followUp('capture'),
    release: followUp('release'),
    refund: followUp('refund'),
    inquireFollowUp: (key) => inquire(key, (wallet) => wallet.inquireFollowUp(key), withdrawn),
    inquireHold: (key, signal) =>
      inquire<HoldAnswer>(key, async (wallet) => wallet.inquireHold?.(key, signal) ?? holdStands),
    cancelFollowUp: (key, signal) =>
      cancel(key, (wallet) => wallet.cancelFollowUp?.(key, signal) ?? wallet.inquireFollowUp(key), withdrawn),
    reverse: (reversal, signal) =>
      follow(reversal, signal, (wallet) => wallet.reverse(reversal, signal), notMoved),
  }
}

/** The features that the provider of new orders lacks. Empty if there is no connection. */
export function onlineWalletLacks(
  connections: Pick<Connections, 'serving' | 'railsOf'>,
  walletId: bigint | undefined,
): readonly MobileWalletLack[] {
  const connection = connections.serving('onlineWallet', walletId)
  const wallet = connection && connections.railsOf(connection).onlineWallet
  if (wallet === undefined) return []
  return [
    ...(wallet.lacks?.(walletId ?? 0n) ?? []),
    ...(wallet.holds === undefined ? (['holds'] as const) : []),
    ...(wallet.saved === undefined ? (['mandates'] as const) : []),
  ]
}

export function onlineWalletOf(router: Router, connections: Connections): OnlineWallet {
  const { ofAny, start, follow, inquire } = router.over('onlineWallet')
  return {
    get pagesUrl() {
      return ofAny().pagesUrl
    },
    open: (order, signal) =>
      start(order, signal, (wallet) => wallet.open(order, signal), { kind: 'declined', reason: 'cancelled' }),
    async capture(key, signal) {
      const answer = await inquire(key, (wallet) => wallet.capture(key, signal))
      return answer.kind === 'not_found' ? { kind: 'declined', reason: 'not_agreed' } : answer
    },
    inquire: (key) => inquire(key, (wallet) => wallet.inquire(key)),
    refund: (request, signal) =>
      follow(
        { key: request.key, original: request.of },
        signal,
        (wallet) => wallet.refund(request, signal),
        noPayment,
      ),
    inquireRefund: (key) => inquire(key, (wallet) => wallet.inquireRefund(key)),
    holds: walletHoldsOf(router),
    saved: savedAccountsOf(router),
    lacks: (merchantId) => onlineWalletLacks(connections, merchantId),
  }
}

function walletHoldsOf(router: Router): WalletHolds {
  const { follow, inquire } = router.over('onlineWallet')
  const followUp =
    (verb: 'capture' | 'release'): WalletHolds[typeof verb] =>
    (asked: WalletFollowUp, signal) =>
      follow(
        { key: asked.key, original: asked.payment },
        signal,
        async ({ holds }) => (await holds?.[verb](asked, signal)) ?? notPermitted,
        notMoved,
      )
  return {
    capture: followUp('capture'),
    release: followUp('release'),
    inquireFollowUp: (key) =>
      inquire(key, async ({ holds }) => (await holds?.inquireFollowUp(key)) ?? notPermitted),
    inquireHold: (key) =>
      inquire<HoldAnswer>(key, async ({ holds }) => (await holds?.inquireHold(key)) ?? holdStands),
  }
}

function savedAccountsOf(router: Router): SavedAccounts {
  const { follow, inquire } = router.over('onlineWallet')
  return {
    charge: (charge, signal) =>
      follow(
        { key: charge.key, original: charge.account },
        signal,
        async ({ saved }) => (await saved?.charge(charge, signal)) ?? accountEnded,
        { unknown: accountEnded, cancelled: accountEnded },
      ),
    inquireAccount: (account) =>
      inquire(account, async ({ saved }) => (await saved?.inquireAccount(account)) ?? { kind: 'not_found' }),
    forget: (account, signal) =>
      inquire(account, async ({ saved }) => (await saved?.forget(account, signal)) ?? { kind: 'not_found' }),
  }
}
