// A card acquirer in memory that has the issuer authenticate customers itself, on a page of its own.
import type {
  AcquirerAnswer,
  CardAcquirer,
  CustomerAuthorization,
  CustomerNeeded,
  CustomerPage,
  NotReceived,
} from '../../../src/rails/index.ts'
import { type AcquirerRecords, declinedCards, memoryAcquirer, newRecords } from './acquirer.ts'

/** Cards whose issuer wants to see the customer; every other one is decided at once. */
export const seenCards: readonly string[] = ['4000000000003220']

type PresentedCard = NonNullable<CustomerAuthorization['card']>

interface Pending {
  readonly request: CustomerAuthorization
  /** Closed pages take no answer. */
  isOpen: boolean
}

export interface AuthenticatingRecords {
  readonly acquirer: AcquirerRecords
  /** Requests whose customer is, or was, to go to a page, by their key. */
  readonly pending: Map<string, Pending>
  /** Verifications, which move nothing, by their key. */
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
   * The customer answers at the page of `url`; answers where their browser goes then. Money moves before they are back.
   *
   * @throws when the page is closed
   */
  answerPage(url: string, answer: 'confirm' | 'refuse'): Promise<string>
  /** What was asked of the acquirer for the page of `url`. */
  pendingAt(url: string): CustomerAuthorization
}

/** Where the customer answers: the address of a page, or of the request that a card form of the acquirer's is for. */
export function addressOf(page: CustomerPage): string {
  return 'cardForm' in page ? pagesAt + page.cardForm.attributes['data-request'] : page.url
}

/** What the customer types into the form of the acquirer. */
const typedAtAcquirer: PresentedCard = {
  number: '4111111111111111',
  expiry: { month: 12, year: 2035 },
  vcode: '123',
  name: 'Ana Sousa',
}

const pagesAt = 'https://acquirer.example/pages?request='

/**
 * @param serves for which merchants it authenticates; for others it wants our proof
 * @param hasCardForm whose customers type their card into a form of its own
 */
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
