// Mandates of MB WAY at the imitated SPG.
import { addMonths, lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { after, type Instant, minute } from '../../../src/kernel/time.ts'
import type { ProviderAnswer } from '../http-provider.ts'
import type { Outbox } from './outbox.ts'
import { answered, euros, failed, type Json } from './wire.ts'

export interface MandateTerms {
  readonly limit: bigint
  readonly expiryDate: string
}

interface FakeMandate {
  readonly id: string
  readonly ours: string
  readonly mandateId: string
  readonly phone: string
  /** `asked` until the customer answers; `gone` after a refusal or silence. */
  status: 'asked' | 'gone' | 'ACTV' | 'SSPN' | 'EXPR' | 'CNCL'
  terms: MandateTerms
  readonly until: Instant
  readonly used: Map<string, bigint>
}

interface MandatesDeps {
  readonly now: () => Instant
  readonly isCustomer: (alias: string) => boolean
  readonly newId: () => string
  readonly outbox: Outbox
  readonly asked: string[]
  readonly cancelsUnanswered: () => boolean
}

const yearMonths = 12

export function createMandates({ now, isCustomer, newId, outbox, asked, cancelsUnanswered }: MandatesDeps) {
  const mandates: FakeMandate[] = []

  function current(mandate: FakeMandate): FakeMandate {
    if (mandate.status === 'asked' && now() >= mandate.until) mandate.status = 'gone'
    return mandate
  }

  const byOurs = (ours: string) => mandates.find((one) => one.ours === ours)
  const byKey = (key: string) => byOurs(key.replaceAll('-', ''))

  async function notify(
    { id, ours, mandateId, terms }: FakeMandate,
    mandateAction: string,
    mandateActionStatus = 'SCCS',
  ): Promise<void> {
    await outbox.send({
      ...{
        transactionID: id,
        paymentStatus: 'Success',
        merchant: { transactionId: ours, terminalId: 58019 },
      },
      mbwayMandate: {
        ...{ mandateIdentification: mandateId, mandateAction, mandateActionStatus },
        ...{ mandateAmountLimit: euros(terms.limit), mandateExpirationDate: terms.expiryDate },
      },
    })
  }

  function create(body: Json, isTaken: (ours: string) => boolean): ProviderAnswer {
    const { merchant, mandate } = body
    if (isTaken(merchant.merchantTransactionId)) return failed(400, 'E0103')
    if (!isCustomer(mandate.aliasMBWAY)) return failed(400, 'E0119')
    const id = newId()
    mandates.push({
      ...{ id, ours: merchant.merchantTransactionId, mandateId: `M${id}`, phone: mandate.aliasMBWAY },
      ...{ status: 'asked', until: after(now(), 4 * minute), used: new Map() },
      terms: { limit: 250_00n, expiryDate: addMonths(lisbonDayOf(now()), yearMonths) },
    })
    asked.push(merchant.merchantTransactionId)
    return answered({ transactionId: id })
  }

  async function cancel(mandate: FakeMandate): Promise<ProviderAnswer> {
    const { status } = current(mandate)
    if (status === 'asked' ? !cancelsUnanswered() : status !== 'ACTV' && status !== 'SSPN')
      return failed(400, 'E0507')
    mandate.status = status === 'asked' ? 'gone' : 'CNCL'
    if (status !== 'asked') await notify(mandate, 'CNCL')
    return answered({})
  }

  function inquire(mandate: FakeMandate): ProviderAnswer {
    const { status, mandateId, terms } = current(mandate)
    if (status === 'asked' || status === 'gone') return failed(404, 'E0507')
    return answered({
      mandate: {
        ...{ mandateId, mandateStatus: status, amountLimit: euros(terms.limit) },
        mandateExpirationDate: terms.expiryDate,
      },
    })
  }

  const changes = {
    update: { from: ['ACTV', 'SSPN'], to: undefined, action: 'LMUP' },
    suspend: { from: ['ACTV'], to: 'SSPN', action: 'SSPN' },
    resume: { from: ['SSPN'], to: 'ACTV', action: 'RCTV' },
    cancel: { from: ['ACTV', 'SSPN'], to: 'CNCL', action: 'CNCL' },
  } as const

  return {
    byOurs,
    knows: (ours: string) => byOurs(ours) !== undefined,
    find: (mandateId: string | undefined) => mandates.find((one) => one.mandateId === mandateId),
    /** Uses the allowance if it covers the amount. */
    use(mandate: FakeMandate, amount: bigint): boolean {
      const month = lisbonDayOf(now()).slice(0, 7)
      const used = (mandate.used.get(month) ?? 0n) + amount
      if (mandate.status !== 'ACTV' || used > mandate.terms.limit) return false
      mandate.used.set(month, used)
      return true
    },
    async handle(id: string, verb: string, body: Json, isTaken: (ours: string) => boolean) {
      if (id === 'creation') return create(body, isTaken)
      const mandate = mandates.find((one) => one.id === id)
      if (mandate === undefined) return failed(404, 'E0507')
      return verb === 'cancel' ? cancel(mandate) : inquire(mandate)
    },
    async approve(key: string, terms: MandateTerms | undefined): Promise<boolean> {
      const mandate = byKey(key)
      if (mandate === undefined || current(mandate).status !== 'asked') return false
      mandate.status = 'ACTV'
      mandate.terms = terms ?? mandate.terms
      await notify(mandate, 'CRTN')
      return true
    },
    async refuse(key: string): Promise<boolean> {
      const mandate = byKey(key)
      if (mandate === undefined || current(mandate).status !== 'asked') return false
      mandate.status = 'gone'
      await notify(mandate, 'CRTN', 'RFSD')
      return true
    },
    async change(key: string, kind: keyof typeof changes, terms?: MandateTerms): Promise<boolean> {
      const mandate = byKey(key)
      const { from, to, action } = changes[kind]
      if (mandate === undefined || !(from as readonly string[]).includes(mandate.status)) return false
      mandate.status = to ?? mandate.status
      if (kind === 'update') mandate.terms = terms ?? mandate.terms
      await notify(mandate, action)
      return true
    },
  }
}
