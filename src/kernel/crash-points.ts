// Crash points: named places at which a test kills the process.
import { channel, tracingChannel } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { ok, type Result } from './result.ts'

export const crashPoints = {
  'transaction written, not committed':
    'The statements of a transaction have run: the database rolls all of them back.',
  'attempt opened, rail not asked':
    'A payment, capture, release or refund is committed with its attempt, and no rail has received it.',
  'rail to be called, not called':
    'Everything that must be written before a rail call is written. The rail has not received the call.',
  'rail call ended, nothing follows':
    'The rail call has ended, with an answer or a timeout. The gateway has not used the result yet.',
  'rail answered, nothing written':
    'The rail has decided and recorded the result. The gateway has written nothing since before the call.',
  'settled, its attempt still open': 'The operation is settled. Its attempt is still marked as open.',
  'attempt given up, its operation not failed':
    'The attempt is abandoned, and the resolver will ask the rail about it. The operation is still pending.',
  'given up and failed, rail not asked again':
    'The abandoned operation has failed. The rail has not been asked yet whether the attempt arrived.',
  'payment failed, its allowance still reserved':
    'A payment by phone has failed. Its reserved part of the mandate is not released yet.',
  'payment failed, its attempt still open':
    'The payment has failed or waits for another attempt. This attempt is still marked as open.',
  'card kept, its payment not settled':
    'The card of a subscription, or the one that a customer saves, is stored. The payment is still pending.',
  'subscription ended, its mandate not': 'A subscription has ended. Its mandate is still active.',
  'made, answer not kept':
    'The object of a request with an id is created. The answer for repeated requests is not stored.',
  'return opened, not settled': 'A clawback or return by the rail has its operation. Nothing is booked.',
  'dispute withdrawn, not reinstated':
    'A dispute is booked. The provider has returned the money, and that is not booked yet.',
  'settled, answer not sent':
    'The operation is settled, with postings and callback. The caller has no answer.',
  'callback claimed, not sent':
    'The callback is recorded and leased to the killed process. Nothing was sent.',
  'callback delivered, not marked':
    'The merchant has answered the callback. It is still marked as in progress.',
  'customer data kept, nothing begun':
    'The data of the customer is stored with the payment. No attempt has begun.',
  'attempt begun, issuer not asked':
    'A card attempt is committed. The issuer has not been asked to authenticate the customer.',
  'customer authenticated, approval not begun':
    'The issuer has authenticated the customer. The security code, held only in memory, is lost.',
  'charge accepted, answer not sent':
    'A charge has reserved its amount of the subscription. Neither the merchant nor a worker knows it.',
  'cycle due, not charged':
    'A subscription that charges itself is leased. The charge of its cycle does not exist.',
  'mandate moved, callback not sent':
    'One change of a mandate is applied, with its event. Nothing was sent, and later changes are not read.',
  'mandate approved, its payment not settled':
    'One answer on the phone approved a payment and a mandate. The mandate is active, the payment pending.',
  'reference payment taken, not settled':
    'A payment of a recurring reference has its operation. The network has no answer yet.',
  'top-up taken, not settled': 'A transfer to a balance has its operation. Nothing is booked.',
  'payments in time counted, reference not ended':
    'The payments before the end of a reference are known. The reference has not ended yet.',
  'ledger account opened, nothing booked':
    'A ledger account has its number. Its first postings are not written.',
  'suspense assigned, its payment not settled':
    'Money in suspense is assigned to a merchant. The payment has its operation, and nothing is booked.',
  'rest of a hold given back, authorization not closed':
    'After a month the rail has released the rest of a hold. The authorization is still open.',
  'payout of a schedule begun, not ordered':
    'A day of a payout schedule has the id of its payout. The payout is not created.',
  'payout ordered, schedule not moved on':
    'A scheduled payout is ordered. The schedule still shows it as due.',
  'bank file gathered, not written': 'Orders are assigned to a file for the bank. The file does not exist.',
  'bank file drafted, not named': 'The file for the bank is complete on the disk, under a draft name.',
  'bank entries written, nothing follows': 'A file of the bank is imported. No operation has changed.',
  'order answered by hand, nothing follows':
    'An operator has answered an order by hand. No operation has changed.',
  'answer of the bank followed, not marked':
    'The operation has the answer of the bank. The entry is not marked as processed.',
  'bank file imported, not moved': 'A file of the bank is imported. It is still in the inbox.',
  'backup drafted, not named': 'A backup is complete on the disk, under a draft name.',
  'backup unpacked, not in its place': 'A backup is unpacked and checked. The current database is unchanged.',
  'old database aside, restored one not in its place':
    'The old database is renamed. The restored one is not in its place yet.',
  'master key added, nothing under it':
    'The key file has a new version. Every secret is still encrypted under an older one.',
  'secrets re-encrypted in part':
    'Some secrets are encrypted under the newest master key, others under the one before.',
  'batch hashed, not chained':
    'A batch of records is hashed and signed. It is not yet appended to the chain.',
  'mail claimed, not sent': 'A mail is leased to the killed process. The SMTP server knows nothing of it.',
  'mail sent, not marked': 'The SMTP server has taken a mail. It is still marked as in progress.',
  'account of a refund named, bank not asked':
    'A payer has named the account of a refund, and its transfer is ordered. The bank has not been asked.',
  'refund without an account cancelled, not failed':
    'A merchant has ended the page of a refund without an account. The refund is still PENDING.',
  'bank file named, not marked': 'The file for the bank is in its place. It is not marked as written.',
} as const

export type CrashPoint = keyof typeof crashPoints

export interface Crash {
  readonly point: CrashPoint
  readonly count: number
}

/** `transaction`: with all its statements. `write`: a row for a batch. `rail`: a call. */
export interface Effect {
  readonly kind: 'statement' | 'transaction' | 'write' | 'rail'
  readonly text?: string
}

export const effectChannels = {
  flow: 'comporta:flow',
  effect: 'comporta:effect',
  point: 'comporta:crash-point',
} as const

const flows = channel(effectChannels.flow)
const effects = tracingChannel<unknown, Effect>(effectChannels.effect)
const points = channel(effectChannels.point)

let onPoint: ((point: CrashPoint) => void) | undefined

export function crashPoint(point: CrashPoint): void {
  if (points.hasSubscribers) points.publish(point)
  onPoint?.(point)
}

/** Calls `reach` at each point and does not crash: simulated processes share one real process. */
export function watchCrashPoints(reach: (point: CrashPoint) => void): void {
  onPoint = reach
}

export function deathNote(point: CrashPoint): string {
  return `comporta dies at the crash point "${point}"`
}

export function armCrashPoint(crash: Crash): void {
  let reached = 0
  onPoint = (point) => {
    if (point !== crash.point) return
    reached += 1
    if (reached < crash.count) return
    writeSync(process.stderr.fd, `${deathNote(point)}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Reads `<point>` or `<point>:<count>`. The default count is 1. */
export function readCrash(text: string): Result<Crash, string> {
  const [name = '', count = '1', more] = text.split(':')
  const point = (Object.keys(crashPoints) as CrashPoint[]).find((known) => known === name.trim())
  if (point === undefined)
    return { ok: false, refusal: `one of "${Object.keys(crashPoints).join('", "')}", not "${name.trim()}"` }
  if (more !== undefined || !/^[1-9]\d{0,5}$/.test(count))
    return { ok: false, refusal: 'a crash point, a colon and a count, such as :3' }
  return ok({ point, count: Number(count) })
}

/** The parent sends `{ crashAt: "<point>:<count>" }`. The answer is the same message or `{ refused }`. */
export function listenForCrashPoints(): void {
  process.on('message', (message: { readonly crashAt?: unknown }) => {
    if (typeof message?.crashAt !== 'string') return
    const crash = readCrash(message.crashAt)
    if (crash.ok) armCrashPoint(crash.value)
    process.send?.(crash.ok ? { crashAt: message.crashAt } : { refused: crash.refusal })
  })
  // An open channel to the parent would keep the process alive.
  process.channel?.unref()
}

/** Runs `work` as a flow of its own, so that it does not count as a part of its caller. */
export function flow<T>(work: () => T): T {
  return flows.hasSubscribers ? flows.runStores({}, work) : work()
}

export function effect<T>(what: Effect, work: () => Promise<T>): Promise<T> {
  return effects.hasSubscribers ? effects.tracePromise(work, what) : work()
}
