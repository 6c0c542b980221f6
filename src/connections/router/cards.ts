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

export function acquirerOf(router: Router, connections: Connections): CardAcquirer {
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
    inquireHold: (key, signal) =>
      router.inquire<'acquirer', HoldAnswer>('acquirer', key, async (acquirer) =>
        acquirer.inquireHold === undefined ? holdStands : acquirer.inquireHold(key, signal),
      ),
    cancel: (key, signal) =>
      router.cancel('acquirer', key, (acquirer) => cancelOrInquire(acquirer, key, signal), cancelledByUs),
    reverse: (reversal, signal) =>
      router.follow('acquirer', { ...reversal, signal }, (acquirer) => acquirer.reverse(reversal, signal), {
        unknown: nothingTaken,
        cancelled: cancelledByUs,
      }),
  }
}

/** Without `cancel`, an inquiry that finds nothing is final. */
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
    versions: async (cardNumber) => router.ofGateway('threeDSecure').versions(cardNumber),
    authenticate: async (areq) => router.ofGateway('threeDSecure').authenticate(areq),
  }
}
