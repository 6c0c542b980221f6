// A card acquirer in memory that authenticates customers on its page.
import type {
  AcquirerAnswer,
  CardAcquirer,
  CustomerAuthorization,
  CustomerNeeded,
  CustomerPage,
  NotReceived,
} from '../../../src/rails/index.ts'
import { type AcquirerRecords, declinedCards, memoryAcquirer, newRecords } from './acquirer.ts'

/** Cards with the issuer's page. */
export const seenCards: readonly string[] = ['4000000000003220']

type PresentedCard = NonNullable<CustomerAuthorization['card']>

interface Pending {
  readonly request: CustomerAuthorization
  /** Closed pages accept no answer. */
  isOpen: boolean
}

export interface AuthenticatingRecords {
  readonly acquirer: AcquirerRecords
  readonly pending: Map<string, Pending>
  readonly verified: Map<string, AcquirerAnswer>
}

export const newAuthenticatingRecords = (): AuthenticatingRecords => ({
  acquirer: newRecords(),
  pending: new Map(),
  verified: new Map(),
})

export interface AuthenticatingAcquirer {
  readonly acquirer: CardAcquirer
  /**
   * The customer answers at the page of `url`; answers the next address. Money moves before the return. Throws if
   * closed.
   */
  answerPage(url: string, answer: 'confirm' | 'refuse'): Promise<string>
  pendingAt(url: string): CustomerAuthorization
}

/** The address of a page, or of the request of a card form. */
export function addressOf(page: CustomerPage): string {
  return 'cardForm' in page ? pagesAt + page.cardForm.attributes['data-request'] : page.url
}

const typedAtAcquirer: PresentedCard = {
  number: '4111111111111111',
  expiry: { month: 12, year: 2035 },
  vcode: '123',
  name: 'Ana Sousa',
}

const pagesAt = 'https://acquirer.example/pages?request='

/** `serves`: merchants with authentication. `hasCardForm`: merchants with the acquirer's form. */
export function authenticatingAcquirer(
  serves: (merchantId: bigint) => boolean,
  { acquirer: records, pending, verified } = newAuthenticatingRecords(),
  hasCardForm: (merchantId: bigint) => boolean = () => false,
): AuthenticatingAcquirer {
  const plain = memoryAcquirer(records)

  function page(key: string, { merchant }: CustomerAuthorization): CustomerNeeded {
    if (!hasCardForm(merchant.id)) return { kind: 'customer', page: { url: pagesAt + key } }
    const attributes = { class: 'acquirer-card', 'data-request': key }
    return {
      kind: 'customer',
      page: { cardForm: { script: 'https://acquirer.example/form.js', attributes } },
    }
  }

  async function decide(
    { intent, ...request }: CustomerAuthorization,
    card: PresentedCard,
  ): Promise<AcquirerAnswer> {
    if (intent !== 'verify') return plain.authorize({ ...request, card, intent })
    const { key } = request
    const decline = declinedCards[card.number]
    const answer: AcquirerAnswer =
      decline === undefined
        ? { kind: 'approved', reference: `V${verified.size}` }
        : { kind: 'declined', decline }
    verified.set(key, answer)
    return answer
  }

  async function answerTo(key: string): Promise<AcquirerAnswer | NotReceived> {
    return verified.get(key) ?? plain.inquire(key)
  }

  function pendingAt(url: string): Pending {
    const seen = pending.get(url.slice(pagesAt.length))
    if (seen === undefined) throw new Error(`there is no page ${url}`)
    return seen
  }

  return {
    pendingAt: (url) => pendingAt(url).request,
    acquirer: {
      ...plain,
      inquire: async (key) =>
        pending.get(key)?.isOpen === true
          ? { kind: 'unknown', why: 'the customer is at the page' }
          : answerTo(key),
      async cancel(key, signal) {
        const seen = pending.get(key)
        if (seen !== undefined) seen.isOpen = false
        return (await plain.cancel?.(key, signal)) ?? { kind: 'unknown', why: 'it does not cancel' }
      },
      customers: {
        serves,
        hasCardForm,
        async authorize(request, signal) {
          await Promise.resolve()
          signal?.throwIfAborted()
          const { key, card } = request
          const known = await answerTo(key)
          if (known.kind !== 'not_found') return known
          if (card !== undefined && !seenCards.includes(card.number)) return decide(request, card)
          if (!pending.has(key)) pending.set(key, { request, isOpen: true })
          return page(key, request)
        },
        async inquire(key) {
          const seen = pending.get(key)
          return seen?.isOpen === true ? page(key, seen.request) : answerTo(key)
        },
      },
    },
    async answerPage(url, answer) {
      const seen = pendingAt(url)
      if (!seen.isOpen) throw new Error(`the page ${url} is closed`)
      seen.isOpen = false
      const { request } = seen
      const card = request.card ?? typedAtAcquirer
      await decide(request, answer === 'confirm' ? card : { ...card, number: '4000000000000002' })
      return request.returnUrl
    },
  }
}
