// The mobile wallet and the online wallet over connections.
import type {
  HoldAnswer,
  MobileWallet,
  MobileWalletLack,
  OnlineWallet,
  WalletFollowUp,
  WalletHolds,
} from '../../rails/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import { holdStands, type Router, unknownPayment } from './routes.ts'

const withdrawn = { kind: 'declined', decline: 'withdrawn' } as const
const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const

/** The lacks of the provider of new requests; none without a connection. */
export function mobileWalletLacks(
  connections: Pick<Connections, 'serving' | 'railsOf'>,
  walletId: bigint | undefined,
): readonly MobileWalletLack[] {
  const connection = connections.serving('mobileWallet', walletId)
  const wallet = connection && connections.railsOf(connection).mobileWallet
  return wallet?.lacks?.(walletId ?? 0n) ?? []
}

export function mobileWalletOf(router: Router, connections: Connections): MobileWallet {
  const name = 'mobileWallet'
  /** The connection that made the mandate, if it still takes requests. */
  async function ofMandate(mandate: string | undefined): Promise<HeldConnection | undefined> {
    const route = mandate === undefined ? 'unknown' : await router.routeOf(mandate)
    return typeof route === 'string' || !route.connection.serves ? undefined : route.connection
  }

  return {
    lacks: (merchantId) => mobileWalletLacks(connections, merchantId),
    findCustomer: async (phone) => router.ofAny(name).findCustomer(phone),
    async requestPayment(request, signal) {
      const { key, merchant, opens } = request
      const preferred = await ofMandate(request.mandate)
      return router.start(
        name,
        { key, walletId: merchant.id, signal },
        async (wallet) => {
          const route = opens === undefined ? 'unknown' : await router.routeOf(key)
          if (opens !== undefined && typeof route !== 'string')
            await router.note(name, merchant.id, opens.key, route.connection)
          signal?.throwIfAborted()
          return wallet.requestPayment(request, signal)
        },
        withdrawn,
        preferred,
      )
    },
    inquirePayment: (key) => router.inquire(name, key, (wallet) => wallet.inquirePayment(key), withdrawn),
    withdrawPayment: (key, signal) =>
      router.cancel(name, key, (wallet) => wallet.withdrawPayment(key, signal), withdrawn),
    requestMandate: (request, signal) =>
      router.start(
        name,
        { key: request.key, walletId: request.merchant.id, signal },
        (wallet) => wallet.requestMandate(request, signal),
        withdrawn,
      ),
    withdrawMandate: (key, signal) =>
      router.inquire(name, key, (wallet) => wallet.withdrawMandate(key, signal)),
    mandateHistory: (key, afterVersion) =>
      router.inquire(name, key, (wallet) => wallet.mandateHistory(key, afterVersion)),
    cancelMandate: (key, signal) => router.inquire(name, key, (wallet) => wallet.cancelMandate(key, signal)),
    capture: (followUp, signal) =>
      router.follow(
        name,
        { key: followUp.key, original: followUp.payment, signal },
        (wallet) => wallet.capture(followUp, signal),
        { unknown: notPermitted, cancelled: withdrawn },
      ),
    release: (followUp, signal) =>
      router.follow(
        name,
        { key: followUp.key, original: followUp.payment, signal },
        (wallet) => wallet.release(followUp, signal),
        { unknown: notPermitted, cancelled: withdrawn },
      ),
    refund: (followUp, signal) =>
      router.follow(
        name,
        { key: followUp.key, original: followUp.payment, signal },
        (wallet) => wallet.refund(followUp, signal),
        { unknown: notPermitted, cancelled: withdrawn },
      ),
    inquireFollowUp: (key) => router.inquire(name, key, (wallet) => wallet.inquireFollowUp(key), withdrawn),
    inquireHold: (key, signal) =>
      router.inquire<typeof name, HoldAnswer>(name, key, async (wallet) =>
        wallet.inquireHold === undefined ? holdStands : wallet.inquireHold(key, signal),
      ),
    cancelFollowUp: (key, signal) =>
      router.cancel(
        name,
        key,
        (wallet) => wallet.cancelFollowUp?.(key, signal) ?? wallet.inquireFollowUp(key),
        withdrawn,
      ),
    reverse: (reversal, signal) =>
      router.follow(name, { ...reversal, signal }, (wallet) => wallet.reverse(reversal, signal), {
        unknown: notPermitted,
        cancelled: withdrawn,
      }),
  }
}

/** The lacks of the provider of new orders; none without a connection. */
export function onlineWalletLacks(
  connections: Pick<Connections, 'serving' | 'railsOf'>,
  walletId: bigint | undefined,
): readonly MobileWalletLack[] {
  const connection = connections.serving('onlineWallet', walletId)
  const wallet = connection && connections.railsOf(connection).onlineWallet
  if (wallet === undefined) return []
  return wallet.holds === undefined ? ['holds'] : (wallet.lacks?.(walletId ?? 0n) ?? [])
}

export function onlineWalletOf(router: Router, connections: Connections): OnlineWallet {
  const name = 'onlineWallet'
  return {
    get pagesUrl() {
      return router.ofAny(name).pagesUrl
    },
    open: (order, signal) =>
      router.start(
        name,
        { key: order.key, walletId: order.merchant.id, signal },
        (wallet) => wallet.open(order, signal),
        { kind: 'declined', reason: 'cancelled' },
      ),
    async capture(key, signal) {
      const answer = await router.inquire(name, key, (wallet) => wallet.capture(key, signal))
      return answer.kind === 'not_found' ? { kind: 'declined', reason: 'not_agreed' } : answer
    },
    inquire: (key) => router.inquire(name, key, (wallet) => wallet.inquire(key)),
    refund: (request, signal) =>
      router.follow(
        name,
        { key: request.key, original: request.of, signal },
        (wallet) => wallet.refund(request, signal),
        { unknown: unknownPayment, cancelled: unknownPayment },
      ),
    inquireRefund: (key) => router.inquire(name, key, (wallet) => wallet.inquireRefund(key)),
    holds: walletHoldsOf(router),
    lacks: (merchantId) => onlineWalletLacks(connections, merchantId),
  }
}

function walletHoldsOf(router: Router): WalletHolds {
  const name = 'onlineWallet'
  const follow = (verb: 'capture' | 'release', followUp: WalletFollowUp, signal: AbortSignal | undefined) =>
    router.follow(
      name,
      { key: followUp.key, original: followUp.payment, signal },
      async ({ holds }) => (await holds?.[verb](followUp, signal)) ?? notPermitted,
      { unknown: notPermitted, cancelled: withdrawn },
    )
  return {
    capture: (followUp, signal) => follow('capture', followUp, signal),
    release: (followUp, signal) => follow('release', followUp, signal),
    inquireFollowUp: (key) =>
      router.inquire(name, key, async ({ holds }) => (await holds?.inquireFollowUp(key)) ?? notPermitted),
    inquireHold: (key) =>
      router.inquire<typeof name, HoldAnswer>(
        name,
        key,
        async ({ holds }) => (await holds?.inquireHold(key)) ?? holdStands,
      ),
  }
}
