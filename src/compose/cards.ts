// Wires what takes cards: attempts and what they are for, the secure form fields, the card API.
import {
  type CardPaymentsDeps,
  cardHandler,
  createCardPayments,
  paymentSubject,
  storingSubject,
} from '../card-payments/index.ts'
import { type CardSubject, createCards, type Vault } from '../cards/index.ts'
import { cards as facts } from '../methods/cards/facts.ts'
import { createCardRail } from '../methods/cards/index.ts'
import type { Operations } from '../operations/index.ts'
import type { CardAcquirer, ThreeDSecure } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import { createSecureFields } from '../secure-fields/index.ts'
import type { Wallet, Wallets } from '../wallets/index.ts'

export interface CardParts {
  readonly wallets: Wallets
  readonly operations: Operations
  readonly callbacks: { wake(): void }
  readonly vault: Vault
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly checkoutSubject: CardSubject
  readonly subscriptionSubject: CardSubject
  readonly endSubscriptionsOf: CardPaymentsDeps['endSubscriptionsOf']
  readonly manifestPath: string
  readonly onError: (error: unknown) => void
}

export function composeCards(runtime: Runtime, parts: CardParts) {
  const { database, clock, random, keyring, baseUrl, config } = runtime
  const { wallets, operations, callbacks, vault, acquirer, threeDSecure, manifestPath, onError } = parts
  const { settle } = operations
  const shared = { database, clock, random, keyring, baseUrl, mode: config.mode, onError }
  const subjectDeps = { ...shared, wallets, settle, vault, callbacks }
  const cards = createCards({
    ...shared,
    wallets,
    acquirer,
    threeDSecure,
    subjects: {
      checkout: parts.checkoutSubject,
      card_api: paymentSubject(subjectDeps),
      card_store: storingSubject(subjectDeps),
      subscription: parts.subscriptionSubject,
    },
  })
  const fields = createSecureFields({
    ...shared,
    walletOf: (publicId) => merchantOf(wallets, publicId),
    manifestPath,
    sandbox: config.mode === 'sandbox',
  })
  const { engine, show } = operations
  const { endSubscriptionsOf } = parts
  return {
    cards,
    method: {
      code: facts.code,
      rail: cardHandler(acquirer, wallets),
      recurring: { charge: createCardRail({ vault, acquirer }) },
      attempts: cards.engine,
    },
    fields,
    api: createCardPayments({ ...subjectDeps, cards, fields, engine, show, acquirer, endSubscriptionsOf }),
  }
}

/** The merchant of a public id; consumers have no form fields. */
async function merchantOf(wallets: Wallets, publicId: string): Promise<Wallet | undefined> {
  const wallet = await wallets.findByPublicId(publicId)
  return wallet?.kind === 'merchant' ? wallet : undefined
}
