// An imitation of the SIBS Payment Gateway over HTTP.
import { randomBytes } from 'node:crypto'
import { after, type Instant, minute } from '../../../src/kernel/time.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'
import { createMandates, type MandateTerms } from './mandates.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { answered, centsOf, euros, failed, type Json, json } from './wire.ts'

interface CardForm {
  readonly script: string
  readonly attributes: Readonly<Record<string, string>>
}

interface ReferenceBounds {
  readonly entity: string
  readonly ref: string
  readonly min: bigint
  readonly max: bigint
  readonly starts: number
  readonly ends: number
}

interface Transaction {
  readonly id: string
  readonly ours: string
  /** PURS and AUTH ask customers; CAPT, CANC and RFND follow. */
  readonly type: 'PURS' | 'AUTH' | 'CAPT' | 'CANC' | 'RFND'
  /** For a reference, the paid amount after the payment. */
  amount: bigint
  /** The transaction that it follows. */
  readonly original: Transaction | undefined
  readonly methods: readonly string[]
  readonly mandateId: string | undefined
  readonly signature: string
  status: string
  method: string | undefined
  phone: string | undefined
  bounds: ReferenceBounds | undefined
  paidAt: string | undefined
  until: Instant | undefined
}

export interface FakeSibs {
  readonly provider: HttpProvider
  readonly settings: {
    readonly base_url: string
    readonly terminal_id: string
    readonly reference_entity: string
  }
  readonly secrets: { readonly client_id: string; readonly token: string; readonly webhook_secret: string }
  readonly outbox: Outbox
  /** Customers approve before SPG's answer. */
  hurry: boolean
  /** Time to decide under a mandate; 0: with the answer. */
  decidesMandatesAfterMs: number
  /** Whether it cancels unanswered requests. */
  cancelsUnanswered: boolean
  /** Whether follow-ups stay `Pending` until {@link force}. */
  decidesLater: boolean
  approve(key: string, terms?: MandateTerms): Promise<boolean>
  refuse(key: string): Promise<boolean>
  change(
    key: string,
    kind: 'update' | 'suspend' | 'resume' | 'cancel',
    terms?: MandateTerms,
  ): Promise<boolean>
  /** The customer types a card into SPG's form; answers the next address. Throws for an invalid or closed form. */
  payForm(form: CardForm, answer: 'confirm' | 'refuse'): Promise<string>
  payReference(name: { readonly entity: string; readonly ref: string }, amount: bigint): Promise<boolean>
  /** Whether it refuses our credentials. */
  isRevoked: boolean
  /** Finished payments, captures and refunds of a key, in cents: refunds below zero. */
  movements(key: string): readonly bigint[]
  /** Whether a key's id is taken. */
  isTaken(key: string): boolean
  questions(key: string): number
  /** Sets the status of a payment. */
  force(key: string, status: string): void
  /** In cents: net payments, and holds. */
  money(): { readonly taken: bigint; readonly held: bigint }
  close(): Promise<void>
}

const answerWithinMs = 4 * minute

/** `now`: the fake's time. `customers`: registered phones, E.164. */
export async function startFakeSibs(now: () => Instant, customers: ReadonlySet<string>): Promise<FakeSibs> {
  const token = 'test-bearer-token'
  const clientId = 'test-client-id'
  const webhookKey = randomBytes(32)
  const transactions: Transaction[] = []
  const asked: string[] = []
  const outbox = createOutbox(webhookKey)
  let ids = 0
  const newId = () => `s2TEST${String(++ids).padStart(14, '0')}`
  const isCustomer = (alias: string) => customers.has(`+${alias.replace('#', '')}`)
  const mandates = createMandates({
    ...{ now, isCustomer, newId, outbox, asked },
    cancelsUnanswered: () => fake.cancelsUnanswered,
  })

  function current(transaction: Transaction): Transaction {
    const { until, status } = transaction
    if (status === 'Pending' && until !== undefined && now() >= until) transaction.status = 'Expired'
    return transaction
  }

  /** The id of a later checkout is the key and a letter. */
  const isOf = (key: string, ours: string) => ours.startsWith(key.replaceAll('-', ''))
  const byKey = (key: string) =>
    transactions.findLast(
      ({ ours, method, original }) =>
        original === undefined && method !== undefined && ours.startsWith(key.replaceAll('-', '')),
    )

  function isTaken(ours: string): boolean {
    return transactions.some((one) => one.ours === ours) || mandates.knows(ours)
  }

  function checkout(body: Json): ProviderAnswer {
    const { merchant, transaction, mandate } = body
    if (Number(merchant?.terminalId) !== 58019 || merchant?.channel !== 'web') return failed(400, 'E0101')
    if (isTaken(merchant.merchantTransactionId)) return failed(400, 'E0103')
    const amount = centsOf(transaction?.amount)
    if (amount === undefined || amount < 1n || amount > 9_999_900n) return failed(400, 'E0101')
    const made: Transaction = {
      ...{ id: newId(), ours: merchant.merchantTransactionId, type: transaction.paymentType, amount },
      ...{ methods: transaction.paymentMethod, mandateId: mandate?.mandateId, original: undefined },
      ...{ signature: `signed-${ids}`, status: 'Pending' },
      ...{ method: undefined, phone: undefined, until: undefined },
      ...{ bounds: undefined, paidAt: undefined },
    }
    if (made.methods.includes('REFERENCE')) {
      made.bounds = boundsOf(transaction.paymentReference)
      if (made.bounds === undefined) return failed(400, 'E0101')
    }
    transactions.push(made)
    return answered({
      transactionID: made.id,
      transactionSignature: made.signature,
      formContext: `context-${ids}`,
    })
  }

  function generate(made: Transaction): ProviderAnswer {
    const { bounds } = made
    if (made.method !== undefined || made.status !== 'Pending' || bounds === undefined)
      return failed(400, 'E0104')
    made.method = 'REFERENCE'
    made.until = bounds.ends as Instant
    made.bounds = { ...bounds, ref: String(500_000_000 + ++ids) }
    return answered(shown(made))
  }

  async function payReference(name: { entity: string; ref: string }, amount: bigint): Promise<boolean> {
    const made = transactions.find(({ bounds }) => bounds?.ref === name.ref && bounds.entity === name.entity)
    if (made?.bounds === undefined || current(made).status !== 'Pending' || now() < made.bounds.starts)
      return false
    if (amount < made.bounds.min || amount > made.bounds.max) return false
    made.amount = amount
    made.paidAt = new Date(now()).toISOString()
    await end(made, 'Success')
    return true
  }

  async function purchase(made: Transaction, body: Json): Promise<ProviderAnswer> {
    if (made.method !== undefined || made.status !== 'Pending') return failed(400, 'E0104')
    const mandate = body.mandate?.useMBWAYMandate === true ? mandates.find(made.mandateId) : undefined
    const alias = mandate?.phone ?? body.customerPhone
    made.phone = alias
    made.until = after(now(), answerWithinMs)
    asked.push(made.ours)
    if (typeof alias !== 'string' || !isCustomer(alias)) {
      made.method = 'MBWAY'
      made.status = 'Declined'
    } else if (mandate !== undefined && mandates.use(mandate, made.amount)) {
      asked.pop()
      made.method = 'MANDATE'
      if (fake.decidesMandatesAfterMs === 0) await end(made, 'Success')
      else setTimeout(() => void end(made, 'Success'), fake.decidesMandatesAfterMs)
    } else made.method = 'MBWAY'
    const answer = answered(shown(made))
    if (fake.hurry && made.status === 'Pending') await end(made, 'Success')
    return answer
  }

  async function end(made: Transaction, status: string): Promise<void> {
    made.status = status
    await outbox.send(shown(made))
  }

  function leftOf(original: Transaction): bigint {
    return transactions
      .filter((one) => one.original === original && one.status === 'Success')
      .reduce((left, { amount }) => left - amount, original.amount)
  }

  const followUps: Readonly<Record<string, readonly [Transaction['type'], readonly string[]]>> = {
    capture: ['CAPT', ['AUTH']],
    cancellation: ['CANC', ['AUTH']],
    refund: ['RFND', ['PURS', 'CAPT']],
  }

  async function follow(original: Transaction, verb: string, body: Json): Promise<ProviderAnswer> {
    const ours: string = body.merchant.merchantTransactionId
    if (isTaken(ours)) return failed(400, 'E0103')
    const [type, possible] = followUps[verb] ?? ['CAPT', []]
    const amount = centsOf(body.transaction?.amount) ?? 0n
    const isUnanswered = verb === 'cancellation' && current(original).status === 'Pending'
    const fits = isUnanswered
      ? fake.cancelsUnanswered && amount === original.amount
      : original.status === 'Success' && possible.includes(original.type) && amount <= leftOf(original)
    const made: Transaction = {
      ...{ id: newId(), ours, type, amount, original, methods: [], mandateId: undefined, signature: '' },
      ...{
        status: fake.decidesLater ? 'Pending' : amount > 0n && fits ? 'Success' : 'Declined',
        method: original.method ?? 'MBWAY',
      },
      ...{ phone: original.phone, until: undefined },
      ...{ bounds: undefined, paidAt: undefined },
    }
    transactions.push(made)
    if (isUnanswered && fits) original.status = 'Declined'
    await outbox.send(shown(made))
    return answered(shown(made))
  }

  function shown({ id, ours, type, amount, status, method, bounds, paidAt }: Transaction): Json {
    return {
      ...{ transactionID: id, paymentStatus: status, paymentType: type, amount: euros(amount) },
      ...(method !== undefined && { paymentMethod: method }),
      ...(paidAt !== undefined && { transactionDateTime: paidAt }),
      ...(method === 'REFERENCE' &&
        bounds !== undefined && {
          paymentReference: {
            ...{ entity: bounds.entity, reference: bounds.ref, status: 'UNPAID' },
            expireDate: new Date(bounds.ends).toISOString(),
          },
        }),
      merchant: { transactionId: ours, terminalId: 58019 },
    }
  }

  function status(id: string, ours: string | null): ProviderAnswer {
    const mandate = ours === null ? undefined : mandates.byOurs(ours)
    if (mandate !== undefined) return answered({ transactionID: mandate.id, paymentStatus: 'Pending' })
    const one = transactions.find((made) => (ours === null ? made.id === id : made.ours === ours))
    return one === undefined ? failed(404, 'E0506') : answered(shown(current(one)))
  }

  function handlePost(path: string, text: string, found: Transaction | undefined) {
    const [, area, id = '', verb = '', more] = path.split('/')
    const body = json(text)
    if (area === 'mbway-mandates') return mandates.handle(id, verb, body, isTaken)
    if (id === '') return checkout(body)
    if (found === undefined) return failed(404, 'E0506')
    if (more === 'generate') return generate(current(found))
    return more === 'purchase' ? purchase(current(found), body) : follow(found, verb, body)
  }

  async function handle({ method, path, query, headers, body }: ProviderRequest): Promise<ProviderAnswer> {
    const [, , id = ''] = path.split('/')
    const found = transactions.find((one) => one.id === id)
    const wanted = /\/(purchase|generate)$/.test(path) ? `Digest ${found?.signature}` : `Bearer ${token}`
    if (fake.isRevoked || headers['x-ibm-client-id'] !== clientId || headers.authorization !== wanted)
      return failed(401, 'E0401')
    return method === 'GET'
      ? status(id, id === 'status' ? query.get('merchantTransactionId') : null)
      : handlePost(path, body, found)
  }

  async function answer(key: string, status: 'Success' | 'Declined'): Promise<boolean> {
    const made = byKey(key)
    if (made === undefined || current(made).status !== 'Pending') return false
    await end(made, status)
    return true
  }

  async function payForm({ script, attributes }: CardForm, answer: 'confirm' | 'refuse'): Promise<string> {
    const { origin, pathname, searchParams } = new URL(script)
    const made = transactions.find(({ id }) => id === searchParams.get('id'))
    const config = json(attributes['spg-config'] ?? '')
    const isOurs = origin === provider.url && pathname === '/assets/js/widget.js'
    if (made === undefined || !isOurs) throw new Error(`${script} is no form`)
    expectEqual(attributes['spg-signature'], made.signature)
    expectEqual(attributes['spg-context'], made.signature.replace('signed', 'context'))
    expectEqual(JSON.stringify(config.amount), JSON.stringify(euros(made.amount)))
    expectEqual(String(config.paymentMethodList), String(made.methods))
    if (made.status !== 'Pending') throw new Error('the form takes nothing any more')
    made.method = 'CARD'
    await end(made, answer === 'confirm' ? 'Success' : 'Declined')
    return config.redirectUrl
  }

  const provider = await startHttpProvider(handle)
  const fake: FakeSibs = {
    provider,
    settings: { base_url: provider.url, terminal_id: '58019', reference_entity: '52055' },
    secrets: { client_id: clientId, token, webhook_secret: webhookKey.toString('base64') },
    outbox,
    hurry: false,
    decidesMandatesAfterMs: 0,
    cancelsUnanswered: true,
    decidesLater: false,
    isRevoked: false,
    movements: (key) =>
      transactions
        .filter(({ ours, status, type }) => status === 'Success' && type !== 'CANC' && isOf(key, ours))
        .map(({ type, amount }) => (type === 'RFND' ? -amount : amount)),
    approve: async (key, terms) => (await mandates.approve(key, terms)) || answer(key, 'Success'),
    refuse: async (key) => (await mandates.refuse(key)) || answer(key, 'Declined'),
    payForm,
    isTaken: (key) => isTaken(key.replaceAll('-', '')),
    payReference,
    change: (key, kind, terms) => mandates.change(key, kind, terms),
    questions: (key) => asked.filter((ours) => ours.startsWith(key.replaceAll('-', ''))).length,
    force(key, status) {
      const ours = key.replaceAll('-', '')
      const made = transactions.findLast((one) => one.ours === ours)
      if (made === undefined) throw new Error(`there is nothing under ${key}`)
      made.status = status
    },
    money() {
      const sum = (...types: Transaction['type'][]) =>
        transactions
          .filter(({ type, status }) => types.includes(type) && status === 'Success')
          // An unapproved payment was never held.
          .filter(({ type, original }) => type !== 'CANC' || original?.status === 'Success')
          .reduce((total, { amount }) => total + amount, 0n)
      return { taken: sum('PURS', 'CAPT') - sum('RFND'), held: sum('AUTH') - sum('CAPT', 'CANC') }
    },
    close: () => provider.close(),
  }
  return fake
}

function boundsOf(reference: Json): ReferenceBounds | undefined {
  const [min, max] = [centsOf(reference?.minAmount), centsOf(reference?.maxAmount)]
  const [starts, ends] = [Date.parse(reference?.initialDatetime), Date.parse(reference?.finalDatetime)]
  if (reference?.entity !== '52055' || min === undefined || max === undefined || !(starts < ends))
    return undefined
  return { entity: reference.entity, ref: '', min, max, starts, ends }
}

function expectEqual(given: string | undefined, wanted: string): void {
  if (given !== wanted) throw new Error(`the form has ${given} in place of ${wanted}`)
}
