// Crash points: named places at which a test has the process die, so that it need not guess the moment; and the effects between which they stand.
import { channel, tracingChannel } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { ok, type Result } from './result.ts'

/** Every point, with what is done and what is not when a process dies there. */
export const crashPoints = {
  'transaction written, not committed':
    'The statements of a transaction have run: the database rolls all of them back.',
  'attempt opened, rail not asked':
    'A payment, capture, release or refund is committed with its attempt, and no rail has received it.',
  'rail to be called, not called':
    'What is to be written before any call to a rail is written, and the rail has not received the call.',
  'rail call ended, nothing follows':
    'The rail has answered any call, or not in time, and nothing is made of that yet.',
  'rail answered, nothing written':
    'The rail has decided and recorded it; here nothing has changed since before the call.',
  'settled, its attempt still open':
    'The operation is settled, and the attempt by which its customer paid is still marked as being decided.',
  'attempt given up, its operation not failed':
    'The rail is asked later whether the attempt arrived after all, and the operation still waits for it.',
  'given up and failed, rail not asked again':
    'What was given up has failed, and whether it arrived after all is still to be asked.',
  'payment failed, its allowance still reserved':
    'A payment by phone has failed, and what it reserved of its mandate is still reserved.',
  'payment failed, its attempt still open':
    'What an attempt was for has failed, or waits for another one, and the attempt is still being followed.',
  'card kept, its payment not settled':
    'The card of a subscription is stored, and the payment that came with it is still being decided.',
  'subscription ended, its mandate not':
    'A subscription takes no charges any more, and the mandate that it was charged under still stands.',
  'made, answer not kept':
    'What a request with an id asked for is made, and the answer that is to be repeated is not kept.',
  'return opened, not settled':
    'Money that a rail took back, or sent back, by itself has its operation, and nothing is booked.',
  'dispute withdrawn, not reinstated':
    'What a dispute took is booked, and what the provider has given again of it is not.',
  'settled, answer not sent':
    'The operation is settled with its postings and its callback, and its caller has no answer.',
  'callback claimed, not sent':
    'The callback is recorded, and leased to the process that dies: nothing of it was sent.',
  'callback delivered, not marked':
    'The merchant has answered the callback, which is still marked as being sent.',
  'customer data kept, nothing begun':
    'What a customer typed or chose is kept with the payment, and no attempt to pay it is begun.',
  'attempt begun, issuer not asked':
    'An attempt by card is committed: its issuer has not been asked who is paying.',
  'customer authenticated, approval not begun':
    'The issuer has authenticated the customer, and the security code, kept in memory alone, is lost.',
  'charge accepted, answer not sent':
    'A charge has taken its part of the subscription, and neither its merchant nor a worker knows of it.',
  'mandate moved, callback not sent':
    'One change of a mandate is applied, with its event: nothing was sent, and later changes are not read.',
  'mandate approved, its payment not settled':
    'One answer on the phone approved a payment and a mandate; the mandate stands, and the payment is open.',
  'reference payment taken, not settled':
    'A payment of a recurring reference has its operation, and the network has no answer yet.',
  'top-up taken, not settled': 'A transfer to a balance has its operation, and nothing of it is booked.',
  'payments in time counted, reference not ended':
    'The network has said what was paid before the end of a reference, and the reference is not ended yet.',
  'ledger account opened, nothing booked':
    'An account has its number, and what was to be booked on it is not written.',
  'suspense assigned, its payment not settled':
    'Money in suspense is a merchant’s, whose payment has its operation, and nothing of that is booked.',
  'rest of a hold given back, authorization not closed':
    'The rail has freed what an authorization held after its month, and the authorization still stands open.',
  'payout of a schedule begun, not ordered':
    'A day of a schedule has the id of its payout, which is not opened.',
  'payout ordered, schedule not moved on':
    'A payout is ordered by its schedule, which still says that it is due.',
  'bank file gathered, not written': 'Orders belong to a file for the bank, and the file does not exist.',
  'bank file drafted, not named': 'The file for the bank is whole on the disk, under the name of a draft.',
  'bank entries written, nothing follows': 'A file of the bank is imported, and no operation has changed.',
  'order answered by hand, nothing follows':
    'An order has the answer that somebody gave it, and no operation has changed.',
  'answer of the bank followed, not marked':
    'The operation has taken over what the bank said, and the entry still counts as not followed.',
  'bank file imported, not moved': 'A file of the bank is imported, and lies in the inbox as before.',
  'back-up drafted, not named': 'A back-up is whole on the disk, under the name of a draft.',
  'back-up unpacked, not in its place':
    'A back-up is unpacked and checked beside the database that is there, which is as it was.',
  'old database aside, restored one not in its place':
    'The database that was there has another name, and the restored one has not got its place yet.',
  'master key added, nothing under it':
    'The file of master keys has another version, and every secret lies under an older one.',
  'secrets re-encrypted in part':
    'Some secrets lie under the newest master key, and others under the one before.',
  'batch hashed, not chained':
    'What was written is hashed and signed, and the chain ends where it did before.',
  'bank file named, not marked': 'The file for the bank lies where it belongs, and counts as not written.',
} as const

export type CrashPoint = keyof typeof crashPoints

/** Where to die: at `point`, the `count`th time that it is reached from then on. */
export interface Crash {
  readonly point: CrashPoint
  readonly count: number
}

/**
 * `statement`: one sent to the database, with its text. `transaction`: all of one, with those statements within.
 * `write`: a row that was handed over to a statement of many. `rail`: a call.
 */
export interface Effect {
  readonly kind: 'statement' | 'transaction' | 'write' | 'rail'
  readonly text?: string
}

/** Names of the channels of `node:diagnostics_channel`; the tracing channel is that of {@link Effect}. */
export const effectChannels = {
  flow: 'comporta:flow',
  effect: 'comporta:effect',
  point: 'comporta:crash-point',
} as const

const flows = channel(effectChannels.flow)
const effects = tracingChannel<unknown, Effect>(effectChannels.effect)
const points = channel(effectChannels.point)

let onPoint: ((point: CrashPoint) => void) | undefined

/** Ends the process at once (SIGKILL) where a test has asked for that; otherwise it does nothing. */
export function crashPoint(point: CrashPoint): void {
  if (points.hasSubscribers) points.publish(point)
  onPoint?.(point)
}

/** Has `reach` called at every point from now on, in place of any crash that was asked for: for a simulation, whose processes share one. */
export function watchCrashPoints(reach: (point: CrashPoint) => void): void {
  onPoint = reach
}

/** What the process says last. */
export function deathNote(point: CrashPoint): string {
  return `comporta dies at the crash point "${point}"`
}

/** Has this process die at `crash`, counted from now; replaces an earlier request. */
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

/**
 * Reads `<point>` or `<point>:<count>`; the count is 1 unless it is given. Refused in one line that lists the points,
 * or says what a count is.
 */
export function readCrash(text: string): Result<Crash, string> {
  const [name = '', count = '1', more] = text.split(':')
  const point = (Object.keys(crashPoints) as CrashPoint[]).find((known) => known === name.trim())
  if (point === undefined)
    return { ok: false, refusal: `one of "${Object.keys(crashPoints).join('", "')}", not "${name.trim()}"` }
  if (more !== undefined || !/^[1-9]\d{0,5}$/.test(count))
    return { ok: false, refusal: 'a crash point, a colon, and how often it is to be reached, such as :3' }
  return ok({ point, count: Number(count) })
}

/**
 * Lets the process that started this one arm a point at a moment of its choice: it sends `{ crashAt: "<point>:<count>" }`
 * over the channel of `child_process.fork`, and is answered with the same message, or with `{ refused }`.
 */
export function listenForCrashPoints(): void {
  process.on('message', (message: { readonly crashAt?: unknown }) => {
    if (typeof message?.crashAt !== 'string') return
    const crash = readCrash(message.crashAt)
    if (crash.ok) armCrashPoint(crash.value)
    process.send?.(crash.ok ? { crashAt: message.crashAt } : { refused: crash.refusal })
  })
  // An open channel must not keep the process running.
  process.channel?.unref()
}

/** Does `work` as the beginning of something of its own: what is done there follows nothing that its caller did. */
export function flow<T>(work: () => T): T {
  return flows.hasSubscribers ? flows.runStores({}, work) : work()
}

/** Does `work`, which may change something; nothing more than a look where nobody listens. */
export function effect<T>(what: Effect, work: () => Promise<T>): Promise<T> {
  return effects.hasSubscribers ? effects.tracePromise(work, what) : work()
}
