// The rails of production: each request goes over the connection of its merchant or the gateway, and what follows it over the same one.
import type { Clock } from '../kernel/time.ts'
import type {
  AcquirerAnswer,
  CardAcquirer,
  CreditorAccount,
  CreditTransfer,
  CustomerAuthorizations,
  CustomerNeeded,
  DirectDebit,
  GatewayRails,
  MobileWallet,
  NotReceived,
  OnlineWallet,
  ProviderReferences,
  RailName,
  Rails,
  ReferenceNetwork,
  ReferenceNetworks,
  ThreeDSecure,
} from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Connections, HeldConnection } from './connections.ts'
import { findRequest, routeRequest } from './requests/requests-store.ts'

export interface RouterDeps {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
}

/** Nothing was sent: no connection serves the rail, so that the request can be made again later. */
class RailNotServed extends Error {
  readonly code = 'RAIL_NOT_SERVED'

  constructor(rail: RailName) {
    super(`no connection serves the rail ${rail}`)
    this.name = 'RailNotServed'
  }
}

/** The connection of a key, or why there is none. */
type Route =
  | { readonly connection: HeldConnection; readonly walletId: bigint | undefined }
  | 'cancelled'
  | 'unknown'

const notReceived: NotReceived = { kind: 'not_found' }

/**
 * Rails that pick a connection. Before anything is sent, the key is noted with its connection (`rail_requests`): so an
 * inquiry reaches the provider that was asked, whatever was set meanwhile, and a key without a note was sent nowhere.
 */
export function createRailRouter(deps: RouterDeps): GatewayRails {
  const { connections } = deps
  const router = createRouter(deps)
  return {
    acquirer: acquirerOf(router, connections),
    threeDSecure: threeDSecureOf(router),
    mobileWallet: mobileWalletOf(router),
    onlineWallet: onlineWalletOf(router),
    directDebit: directDebitOf(router),
    creditTransfer: creditTransferOf(router),
    referenceNetworks: referenceNetworksOf(router, connections),
    creditorAccount: creditorAccountOf(connections),
  }
}

type Router = ReturnType<typeof createRouter>

function createRouter({ database, clock, connections }: RouterDeps) {
  function railOf<Name extends RailName>(name: Name, connection: HeldConnection | undefined): Rails[Name] {
    const rail = connection === undefined ? undefined : connections.railsOf(connection)[name]
    if (rail === undefined) throw new RailNotServed(name)
    return rail as Rails[Name]
  }

  function heldBy(id: bigint): HeldConnection {
    const connection = connections.find(id)
    if (connection === undefined) throw new Error(`connection ${id} is not known here`)
    return connection
  }

  async function routeOf(key: string): Promise<Route> {
    const row = await findRequest(database, key)
    if (row === undefined) return 'unknown'
    const { connectionId, walletId } = row
    return connectionId === undefined ? 'cancelled' : { connection: heldBy(connectionId), walletId }
  }

  /** Notes the key for `wanted`, unless it was noted before: then that counts. */
  async function note(
    rail: RailName,
    walletId: bigint | undefined,
    key: string,
    wanted: HeldConnection,
  ): Promise<Exclude<Route, 'unknown'>> {
    const request = { key, rail, walletId, connectionId: wanted.row.id }
    const noted = await routeRequest(database, request, clock.now())
    if (noted.connectionId === undefined) return 'cancelled'
    return { connection: heldBy(noted.connectionId), walletId: noted.walletId }
  }

  /** Where a key was sent; a key that was sent nowhere is from now on sent nowhere. */
  async function cancelledRoute(rail: RailName, key: string): Promise<Route> {
    const request = { key, rail, walletId: undefined, connectionId: undefined }
    const { connectionId, walletId } = await routeRequest(database, request, clock.now())
    return connectionId === undefined ? 'cancelled' : { connection: heldBy(connectionId), walletId }
  }

  return {
    routeOf,
    note,
    ofGateway: <Name extends RailName>(name: Name): Rails[Name] =>
      railOf(name, connections.lastServing(name)),
    railOf,
    /** What every connection of a rail answers alike. */
    ofAny<Name extends RailName>(name: Name): Rails[Name] {
      const any = connections.all().find(({ serves, row }) => serves && row.rails.includes(name))
      return railOf(name, connections.serving(name, undefined) ?? any)
    },

    /**
     * Something new: over the connection that serves the wallet now, or the one to which the key was sent before.
     *
     * @param cancelled the answer where the key was cancelled before
     */
    async start<Name extends RailName, Answer>(
      name: Name,
      {
        key,
        walletId,
        signal,
      }: { key: string; walletId: bigint | undefined; signal: AbortSignal | undefined },
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled: NoInfer<Answer>,
      preferred?: HeldConnection | undefined,
    ): Promise<Answer> {
      const wanted = preferred ?? connections.serving(name, walletId)
      // Without a connection for what is new, what was sent before may still be repeated.
      const route = wanted === undefined ? await routeOf(key) : await note(name, walletId, key, wanted)
      if (route === 'unknown') throw new RailNotServed(name)
      if (route === 'cancelled') return cancelled
      signal?.throwIfAborted()
      return ask(railOf(name, route.connection))
    },

    /** What follows an earlier request, over that one's connection; `unknown` where nothing was sent under its key. */
    async follow<Name extends RailName, Answer>(
      name: Name,
      asked: {
        key: string
        original: string
        walletId?: bigint | undefined
        signal: AbortSignal | undefined
      },
      ask: (rail: Rails[Name]) => Promise<Answer>,
      answers: { readonly unknown: NoInfer<Answer>; readonly cancelled: NoInfer<Answer> },
    ): Promise<Answer> {
      const original = await routeOf(asked.original)
      if (typeof original === 'string') return answers.unknown
      const route = await note(name, asked.walletId ?? original.walletId, asked.key, original.connection)
      if (route === 'cancelled') return answers.cancelled
      asked.signal?.throwIfAborted()
      return ask(railOf(name, route.connection))
    },

    /** What became of a key: asked where it was sent. */
    async inquire<Name extends RailName, Answer>(
      name: Name,
      key: string,
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled?: NoInfer<Answer>,
    ): Promise<Answer | NotReceived> {
      const route = await routeOf(key)
      if (typeof route !== 'string') return ask(railOf(name, route.connection))
      return route === 'cancelled' && cancelled !== undefined ? cancelled : notReceived
    },

    /** Has nothing be sent under a key that was sent nowhere; otherwise asks where it was sent. */
    async cancel<Name extends RailName, Answer>(
      name: Name,
      key: string,
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled: NoInfer<Answer>,
    ): Promise<Answer> {
      const route = await cancelledRoute(name, key)
      return typeof route === 'string' ? cancelled : ask(railOf(name, route.connection))
    },
    cancelled: cancelledRoute,
  }
}

/** No merchant has this wallet. */
const gatewayItself = 0n
const cancelledByUs = { kind: 'declined', decline: 'cancelled' } as const
const nothingHeld = { kind: 'declined', decline: 'exceeds_hold' } as const
const nothingTaken = { kind: 'declined', decline: 'exceeds_payment' } as const

/**
 * How the acquirer that serves a merchant, or the gateway, authenticates customers itself, and whether it has a card
 * form of its own; undefined where we authenticate them.
 */
export function authenticatedCustomers(
  connections: Connections,
  walletId: bigint | undefined,
): { readonly cardForm: boolean } | undefined {
  const connection = connections.serving('acquirer', walletId)
  const customers = connection && connections.railsOf(connection).acquirer?.customers
  const merchantId = walletId ?? gatewayItself
  if (customers?.serves(merchantId) !== true) return undefined
  return { cardForm: customers.hasCardForm?.(merchantId) === true }
}

function customersOf(router: Router, connections: Connections): CustomerAuthorizations {
  const asked = ({ customers }: CardAcquirer): CustomerAuthorizations => {
    if (customers === undefined) throw new RailNotServed('acquirer')
    return customers
  }
  return {
    serves: (merchantId) => authenticatedCustomers(connections, merchantId) !== undefined,
    hasCardForm: (merchantId) => authenticatedCustomers(connections, merchantId)?.cardForm === true,
    authorize: (request, signal) =>
      router.start<'acquirer', AcquirerAnswer | CustomerNeeded>(
        'acquirer',
        { key: request.key, walletId: request.merchant.id, signal },
        (acquirer) => asked(acquirer).authorize(request, signal),
        cancelledByUs,
      ),
    inquire: (key, signal) =>
      router.inquire('acquirer', key, (acquirer) => asked(acquirer).inquire(key, signal), cancelledByUs),
  }
}

function acquirerOf(router: Router, connections: Connections): CardAcquirer {
  return {
    customers: customersOf(router, connections),
    authorize: (request, signal) =>
      router.start(
        'acquirer',
        { key: request.key, walletId: request.merchant.id, signal },
        (acquirer) => acquirer.authorize(request, signal),
        cancelledByUs,
      ),
    capture: (request, signal) =>
      router.follow(
        'acquirer',
        { ...request, walletId: request.merchant.id, signal },
        (acquirer) => acquirer.capture(request, signal),
        { unknown: nothingHeld, cancelled: cancelledByUs },
      ),
    release: (request, signal) =>
      router.follow(
        'acquirer',
        { ...request, walletId: request.merchant.id, signal },
        (acquirer) => acquirer.release(request, signal),
        { unknown: nothingHeld, cancelled: cancelledByUs },
      ),
    refund: (request, signal) =>
      router.follow(
        'acquirer',
        { ...request, walletId: request.merchant.id, signal },
        (acquirer) => acquirer.refund(request, signal),
        { unknown: nothingTaken, cancelled: cancelledByUs },
      ),
    inquire: (key, signal) =>
      router.inquire('acquirer', key, (acquirer) => acquirer.inquire(key, signal), cancelledByUs),
    cancel: (key, signal) =>
      router.cancel('acquirer', key, (acquirer) => cancelOrInquire(acquirer, key, signal), cancelledByUs),
    reverse: (reversal, signal) =>
      router.follow('acquirer', { ...reversal, signal }, (acquirer) => acquirer.reverse(reversal, signal), {
        unknown: nothingTaken,
        cancelled: cancelledByUs,
      }),
  }
}

/** An acquirer that cannot cancel is inquired, and not having received anything is then its last word. */
async function cancelOrInquire(
  acquirer: CardAcquirer,
  key: string,
  signal: AbortSignal | undefined,
): Promise<AcquirerAnswer> {
  if (acquirer.cancel !== undefined) return acquirer.cancel(key, signal)
  const answer = await acquirer.inquire(key, signal)
  return answer.kind === 'not_found' ? cancelledByUs : answer
}

/** It names no merchant: the gateway's own serves everybody. */
function threeDSecureOf(router: Router): ThreeDSecure {
  return {
    versions: async (cardNumber) => router.ofGateway('threeDSecure').versions(cardNumber),
    authenticate: async (areq) => router.ofGateway('threeDSecure').authenticate(areq),
  }
}

const withdrawn = { kind: 'declined', decline: 'withdrawn' } as const
const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const

function mobileWalletOf(router: Router): MobileWallet {
  const name = 'mobileWallet'
  /** A mandate lies with the provider where it was made, as long as that connection takes anything. */
  async function ofMandate(mandate: string | undefined): Promise<HeldConnection | undefined> {
    const route = mandate === undefined ? 'unknown' : await router.routeOf(mandate)
    return typeof route === 'string' || !route.connection.serves ? undefined : route.connection
  }

  return {
    // Every connection asks the same network about a number.
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

const unknownPayment = { kind: 'declined', reason: 'unknown_payment' } as const

function onlineWalletOf(router: Router): OnlineWallet {
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
  }
}

/** Banks are never asked under a key that was cancelled: nothing cancels one. */
const neverSent = { kind: 'unclear', why: 'the key was cancelled' } as const

function directDebitOf(router: Router): DirectDebit {
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

function creditTransferOf(router: Router): CreditTransfer {
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

/**
 * A new reference is made where its merchant is served. What providers made is followed over the connection of its key;
 * numbers of ours belong to the gateway's own entity, whoever's the reference is.
 */
function referenceNetworksOf(router: Router, connections: Connections): ReferenceNetworks {
  const name = 'referenceNetwork'
  const networkOf = (connection: HeldConnection): ReferenceNetwork => router.railOf(name, connection)

  /** Calls each connection over which something of `keys` went. */
  async function overEach<Answer>(
    keys: readonly string[],
    routeOf: (key: string) => Promise<Route>,
    ask: (network: ProviderReferences, keys: readonly string[]) => Promise<Answer>,
  ): Promise<Answer[]> {
    const routes = await Promise.all(keys.map(routeOf))
    const byConnection = new Map<HeldConnection, string[]>()
    for (const [index, route] of routes.entries()) {
      if (typeof route === 'string') continue
      const known = byConnection.get(route.connection) ?? []
      byConnection.set(route.connection, [...known, keys[index] as string])
    }
    return Promise.all(
      [...byConnection].map(([connection, own]) => ask(ofProvider(networkOf(connection)), own)),
    )
  }

  return {
    serving(walletId) {
      const connection = connections.serving(name, walletId)
      const network = connection && networkOf(connection)
      if (network === undefined || network.numbering === 'ours') return network
      return {
        ...{ numbering: 'theirs', limits: network.limits },
        create: (request, signal) =>
          router.start(
            name,
            { key: request.key, walletId: request.merchant.id, signal },
            (asked) => ofProvider(asked).create(request, signal),
            { kind: 'declined', reason: 'withdrawn' },
          ),
        ...this.made,
      }
    },
    get own() {
      const own = connections.lastServing(name, (connection) => networkOf(connection).numbering === 'ours')
      const network = own && networkOf(own)
      return network?.numbering === 'ours' ? network : undefined
    },
    made: {
      // A key that went nowhere goes nowhere from now on.
      async withdraw(keys) {
        const cancelled = (key: string) => router.cancelled(name, key)
        await overEach(keys, cancelled, (network, own) => network.withdraw(own))
      },
      async paymentsOf(keys) {
        // What a provider says of keys that did not go over its connection is not asked for.
        const payments = await overEach(keys, router.routeOf, async (network, own) =>
          (await network.paymentsOf(own)).filter(({ key }) => key !== undefined && own.includes(key)),
        )
        return payments.flat()
      },
      refundPayment: (refund, signal) =>
        router.follow(
          name,
          { key: refund.key, original: refund.of, signal },
          async (network) => (await ofProvider(network).refundPayment?.(refund, signal)) ?? notPossible,
          { unknown: unknownPayment, cancelled: unknownPayment },
        ),
    },
  }
}

const notPossible = { kind: 'declined', reason: 'not_possible' } as const

function ofProvider(network: ReferenceNetwork): ProviderReferences {
  if (network.numbering !== 'theirs') throw new RailNotServed('referenceNetwork')
  return network
}

/** That of the connection to the gateway's bank, as it is when it is read. */
function creditorAccountOf(connections: Connections): CreditorAccount {
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
