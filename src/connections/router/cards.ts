// The acquirer and 3-D Secure over connections.
import type {
  AcquirerAnswer,
  CardAcquirer,
  CustomerAuthorizations,
  CustomerNeeded,
  HoldAnswer,
  ThreeDSecure,
} from '../../rails/index.ts'
import type { Connections } from '../connections.ts'
import { holdStands, RailNotServed, type Router } from './routes.ts'

const gatewayItself = 0n
const cancelledByUs = { kind: 'declined', decline: 'cancelled' } as const
const nothingHeld = { kind: 'declined', decline: 'exceeds_hold' } as const
const nothingTaken = { kind: 'declined', decline: 'exceeds_payment' } as const

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
  const { start, inquire } = router.over('acquirer')
  const asked = ({ customers }: CardAcquirer): CustomerAuthorizations => {
    if (customers === undefined) throw new RailNotServed('acquirer')
    return customers
  }
  return {
    serves: (merchantId) => authenticatedCustomers(connections, merchantId) !== undefined,
    hasCardForm: (merchantId) => authenticatedCustomers(connections, merchantId)?.cardForm === true,
    authorize: (request, signal) =>
      start<AcquirerAnswer | CustomerNeeded>(
        request,
        signal,
        (acquirer) => asked(acquirer).authorize(request, signal),
        cancelledByUs,
      ),
    inquire: (key, signal) => inquire(key, (acquirer) => asked(acquirer).inquire(key, signal), cancelledByUs),
  }
}

export function acquirerOf(router: Router, connections: Connections): CardAcquirer {
  const { start, follow, inquire, cancel } = router.over('acquirer')
  const notHeld = { unknown: nothingHeld, cancelled: cancelledByUs }
  const notTaken = { unknown: nothingTaken, cancelled: cancelledByUs }
  return {
    customers: customersOf(router, connections),
    authorize: (request, signal) =>
      start(request, signal, (acquirer) => acquirer.authorize(request, signal), cancelledByUs),
    capture: (request, signal) =>
      follow(request, signal, (acquirer) => acquirer.capture(request, signal), notHeld),
    release: (request, signal) =>
      follow(request, signal, (acquirer) => acquirer.release(request, signal), notHeld),
    refund: (request, signal) =>
      follow(request, signal, (acquirer) => acquirer.refund(request, signal), notTaken),
    inquire: (key, signal) => inquire(key, (acquirer) => acquirer.inquire(key, signal), cancelledByUs),
    inquireHold: (key, signal) =>
      inquire<HoldAnswer>(key, async (acquirer) => acquirer.inquireHold?.(key, signal) ?? holdStands),
    cancel: (key, signal) => cancel(key, (acquirer) => cancelOrInquire(acquirer, key, signal), cancelledByUs),
    reverse: (reversal, signal) =>
      follow(reversal, signal, (acquirer) => acquirer.reverse(reversal, signal), notTaken),
  }
}

/** If the provider has no `cancel`, an inquiry that finds nothing is final. */
async function cancelOrInquire(
  acquirer: CardAcquirer,
  key: string,
  signal: AbortSignal | undefined,
): Promise<AcquirerAnswer> {
  if (acquirer.cancel !== undefined) return acquirer.cancel(key, signal)
  const answer = await acquirer.inquire(key, signal)
  return answer.kind === 'not_found' ? cancelledByUs : answer
}

export function threeDSecureOf(router: Router): ThreeDSecure {
  return {
    versions: async (cardNumber) => router.over('threeDSecure').ofGateway().versions(cardNumber),
    authenticate: async (areq) => router.over('threeDSecure').ofGateway().authenticate(areq),
  }
}
