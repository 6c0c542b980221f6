// The ways to pay over each rail, in one form for the table of contract tests.
import { randomUUID } from 'node:crypto'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, type Instant, minute, systemClock } from '../../../src/kernel/time.ts'
import type {
  CardAuthorization,
  CustomerBrowser,
  CustomerPage,
  GatewayRails,
  MobileWallet,
  OnlineWallet,
  ProviderReferences,
  RailName,
  ReferenceName,
  RefundAccount,
} from '../../../src/rails/index.ts'

/** `late`: declined, but the gateway reverses a late approval. `gone`: the provider does not know the key. */
export type Said = 'approved' | 'declined' | 'late' | 'waiting' | 'unknown' | 'gone'

export interface Follow {
  readonly key: string
  readonly of: string
  readonly amount: bigint
}

/** One way to pay 10.00 €. Another process can make each call. */
export interface Way {
  readonly name: string
  readonly rail: RailName
  /** Sends the request, or sends it again. */
  ask(rails: GatewayRails, key: string): Promise<Said>
  inquire(rails: GatewayRails, key: string): Promise<Said>
  /** The customer pays. */
  agree(key: string): Promise<unknown>
  /**
   * The provider cannot answer questions about a request whose answer was lost. The request ends with the customer's
   * time.
   */
  readonly losesRequests?: boolean | undefined
  /** The provider cannot answer questions about refunds. After a lost answer, a person must look. */
  readonly losesRefunds?: boolean | undefined
  /** Absent if this rail has no refunds. */
  readonly refund?: ((rails: GatewayRails, asked: Follow) => Promise<Said>) | undefined
  /** Absent if the provider cannot answer questions about refunds. The gateway then repeats the refund. */
  readonly inquireRefund?: ((rails: GatewayRails, key: string) => Promise<Said>) | undefined
  /** Absent if this rail has no holds. If it is there, `ask` and `agree` make a hold. */
  readonly capture?: ((rails: GatewayRails, asked: Follow) => Promise<Said>) | undefined
}

export const amount = 1000n
const merchant = { id: 1001n, name: 'Demo Shop' }
const money = { amount: cents(amount), currency: 'EUR' }
const returnUrl = 'https://pay.example.com/3ds/return/1'
const browser: CustomerBrowser = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true }

function saidBy(answer: { readonly kind: string; readonly mayArrive?: boolean }): Said {
  switch (answer.kind) {
    case 'approved':
    case 'paid':
      return 'approved'
    case 'declined':
    case 'returned':
      return answer.mayArrive === true ? 'late' : 'declined'
    case 'not_found':
      return 'gone'
    case 'unknown':
      return 'unknown'
    default:
      return 'waiting'
  }
}

interface Customer {
  /** Default: sale. */
  readonly intent?: 'sale' | 'hold'
}

/** The gateway sends the card number, and the provider decides at once. */
export function cardNumbers(card: CardAuthorization['card'], { intent = 'sale' }: Customer = {}): Way {
  return {
    ...{ name: `card numbers, ${intent}`, rail: 'acquirer' },
    ask: async ({ acquirer }, key) =>
      saidBy(await acquirer.authorize({ key, merchant, ...money, intent, card })),
    inquire: async ({ acquirer }, key) => saidBy(await acquirer.inquire(key)),
    agree: async () => undefined,
    ...cardFollowUps(intent),
  }
}

/** The customer enters the card on a page of the provider. */
export function cardPages(
  answerPage: (page: CustomerPage) => Promise<unknown>,
  { intent = 'sale' }: Customer = {},
): Way {
  const pages = new Map<string, CustomerPage>()
  return {
    ...{ name: `card pages, ${intent}`, rail: 'acquirer' },
    async ask({ acquirer }, key) {
      const answer = await acquirer.customers?.authorize({
        ...{ key, merchant, ...money, intent, browser, returnUrl },
      })
      if (answer?.kind === 'customer') pages.set(key, answer.page)
      return answer === undefined ? 'unknown' : saidBy(answer)
    },
    async inquire({ acquirer }, key) {
      const answer = await acquirer.customers?.inquire(key)
      if (answer?.kind === 'customer') pages.set(key, answer.page)
      return answer === undefined ? 'unknown' : saidBy(answer)
    },
    async agree(key) {
      const page = pages.get(key)
      if (page === undefined) throw new Error('the customer was sent to no page')
      await answerPage(page)
    },
    ...cardFollowUps(intent),
  }
}

function cardFollowUps(intent: 'sale' | 'hold'): Pick<Way, 'refund' | 'inquireRefund' | 'capture'> {
  const asked = ({ of: original, key, amount: part }: Follow) => ({
    ...{ key, original, merchant, currency: 'EUR', amount: cents(part) },
  })
  if (intent === 'hold')
    return { capture: async ({ acquirer }, follow) => saidBy(await acquirer.capture(asked(follow))) }
  return {
    refund: async ({ acquirer }, follow) => saidBy(await acquirer.refund(asked(follow))),
    inquireRefund: async ({ acquirer }, key) => saidBy(await acquirer.inquire(key)),
  }
}

interface Phone extends Customer, Pick<Way, 'losesRequests'> {
  readonly phone: string
  now(): Instant
  approve(key: string): Promise<boolean> | boolean
}

export function phonePayments({ phone, now, approve, intent = 'sale', losesRequests }: Phone): Way {
  const wallet = ({ mobileWallet }: GatewayRails): MobileWallet => mobileWallet
  const asked = ({ key, of: payment, amount: part }: Follow) => ({ key, payment, amount: cents(part) })
  return {
    ...{ name: `phone payments, ${intent}`, rail: 'mobileWallet', losesRequests },
    ask: async (rails, key) =>
      saidBy(
        await wallet(rails).requestPayment({
          ...{ key, merchant, phone, ...money, intent, expires: after(now(), 4 * minute) },
        }),
      ),
    inquire: async (rails, key) => saidBy(await wallet(rails).inquirePayment(key)),
    async agree(key) {
      if (!(await approve(key))) throw new Error('the customer was not asked')
    },
    ...(intent === 'hold'
      ? { capture: async (rails, follow) => saidBy(await wallet(rails).capture(asked(follow))) }
      : {
          refund: async (rails, follow) => saidBy(await wallet(rails).refund(asked(follow))),
          inquireRefund: async (rails, key) => saidBy(await wallet(rails).inquireFollowUp(key)),
        }),
  }
}

/** The customer agrees to an order on the provider's page. The gateway then captures the money. */
export function onlineWalletPayments(
  agree: (key: string) => unknown,
  { intent = 'sale', saves = false }: Customer & { readonly saves?: boolean } = {},
): Way {
  const wallet = ({ onlineWallet }: GatewayRails): OnlineWallet => onlineWallet
  return {
    ...{ name: `online wallet, ${intent}${saves ? ', saving' : ''}`, rail: 'onlineWallet' },
    ask: async (rails, key) =>
      saidBy(
        await wallet(rails).open({
          ...{ key, reference: randomUUID(), merchant, ...money, intent, saves, language: 'en' },
          returnUrl: 'https://shop.example/back',
        }),
      ),
    async inquire(rails, key) {
      const answer = await wallet(rails).inquire(key)
      return saidBy(answer.kind === 'agreed' ? await wallet(rails).capture(key) : answer)
    },
    agree: async (key) => agree(key),
    ...(intent === 'hold'
      ? {
          async capture(rails, { key, of: payment, amount: part }) {
            const { holds } = wallet(rails)
            return holds === undefined
              ? 'declined'
              : saidBy(await holds.capture({ key, payment, amount: cents(part) }))
          },
        }
      : {
          refund: async (rails, { key, of, amount: part }) =>
            saidBy(await wallet(rails).refund({ key, of, amount: cents(part), currency: 'EUR' })),
          inquireRefund: async (rails, key) => saidBy(await wallet(rails).inquireRefund(key)),
        }),
  }
}

/** Charges of an account that the customer saved before. */
export function accountCharges(agree: (key: string) => unknown): Way {
  const sale = onlineWalletPayments(agree)
  let account: string | undefined
  async function savedAccount(wallet: OnlineWallet): Promise<string> {
    const key = randomUUID()
    const order = { key, reference: randomUUID(), merchant, currency: 'EUR', saves: true } as const
    const page = { returnUrl: 'https://shop.example/back', language: 'en' } as const
    await wallet.open({ ...order, ...page, amount: cents(0) })
    await agree(key)
    const saved = await wallet.capture(key)
    if (saved.kind !== 'paid') throw new Error(`the account is not saved: ${saved.kind}`)
    return key
  }
  return {
    ...sale,
    name: 'online wallet, saved account',
    async ask({ onlineWallet }, key) {
      account ??= await savedAccount(onlineWallet)
      const charge = { key, account, reference: key, merchant, ...money }
      const answer = await onlineWallet.saved?.charge(charge)
      return answer === undefined ? 'declined' : saidBy(answer)
    },
    agree: async () => undefined,
  }
}

interface Payer {
  /** Default: true. */
  readonly refunds?: boolean
  now(): Instant
  pay(name: ReferenceName): Promise<boolean> | boolean
  /** The payer's account, if the provider needs it for refunds. */
  readonly account?: RefundAccount
}

/** References that the provider makes. The contract has no inquiry for refunds, so the gateway repeats them. */
export function references({ now, pay, refunds = true, account: to }: Payer): Way {
  const names = new Map<string, ReferenceName>()
  const network = ({ referenceNetworks }: GatewayRails): ProviderReferences => {
    const served = referenceNetworks.serving(merchant.id)
    if (served?.numbering !== 'theirs') throw new Error('no provider makes references')
    return served
  }
  return {
    ...{ name: 'references', rail: 'referenceNetwork' },
    async ask(rails, key) {
      const answer = await network(rails).create({
        ...{ key, merchant, amountMin: cents(amount), amountMax: cents(amount), payableOnce: true },
        ...{ expires: after(now(), 3 * day), customer: { email: 'ana@example.com', name: 'Ana Sousa' } },
      })
      if (answer.kind === 'named') names.set(key, answer)
      return saidBy(answer)
    },
    async inquire(rails, key) {
      const [payment] = await network(rails).paymentsOf([key])
      if (payment !== undefined) return 'approved'
      return names.has(key) ? 'waiting' : 'gone'
    },
    async agree(key) {
      const name = names.get(key)
      if (name === undefined || !(await pay(name))) throw new Error('the reference cannot be paid')
    },
    ...(refunds && {
      async refund(rails, { key, of, amount: part }) {
        const [payment] = await network(rails).paymentsOf([of])
        const refund = { key, of, paymentId: payment?.id ?? randomUUID(), amount: cents(part), to }
        const answer = await network(rails).refundPayment?.(refund)
        return answer === undefined ? 'declined' : saidBy(answer)
      },
    }),
  }
}

interface Debtor {
  readonly iban: string
  pay(key: string): Promise<boolean> | boolean
}

/** Direct debits; the bank pays later. */
export function debits({ iban, pay }: Debtor): Way {
  return {
    ...{ name: 'direct debits', rail: 'directDebit' },
    async ask({ directDebit }, key) {
      const { creditorId } = directDebit.creditorOf(merchant.id)
      return saidBy(
        await directDebit.collect({
          ...{ key, reference: key, merchant, ...money, dueOn: lisbonDayOf(systemClock.now()) },
          debtor: { name: 'Ana Sousa', iban, email: 'ana@example.com' },
          mandate: {
            ...{ id: 'CMP-1', creditorId, signedOn: '2026-11-20' },
            ...{ signedFrom: '203.0.113.7', signedWith: 'Mozilla/5.0' },
          },
        }),
      )
    },
    inquire: async ({ directDebit }, key) => saidBy(await directDebit.inquire(key)),
    async agree(key) {
      if (!(await pay(key))) throw new Error('the debit is not under way')
    },
    refund: async ({ directDebit }, { key, of, amount: part }) =>
      saidBy(await directDebit.refund({ key, of, amount: cents(part), currency: 'EUR' })),
    inquireRefund: async ({ directDebit }, key) => saidBy(await directDebit.inquireRefund(key)),
  }
}
