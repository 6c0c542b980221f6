// Callbacks for tests: wallets, a movable clock, short timeouts.
import { randomBytes } from 'node:crypto'
import { Registry } from 'prom-client'
import {
  type Callbacks,
  createCallbacks,
  eventColumns,
  type NewEvent,
  type OfferedEvent,
  recordEvents,
  recordEventsSql,
} from '../../src/callbacks/index.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import { type Clock, type Instant, instant } from '../../src/kernel/time.ts'
import { type Database, rowSet, statement } from '../../src/storage/index.ts'
import { patienceSeconds } from '../patience.ts'

export const secret = 'the Basic password'
export const signingSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'

export const keyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(7)]]) }

/** A clock that starts at the time of the machine and moves only if the test moves it. */
class MovableClock implements Clock {
  #now: number = Date.now()
  now(): Instant {
    return instant(this.#now)
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

export interface TestWallet {
  callbackUrl?: string | undefined
  cardCallbackUrl?: string | undefined
  secret: string
  previousSecret?: string | undefined
  signingSecrets?: readonly string[]
}

let walletsMade = 0n

/** The state that several workers share. */
export class CallbackWorld {
  readonly clock = new MovableClock()
  readonly wallets = new Map<bigint, TestWallet>()
  readonly errors: unknown[] = []
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  wallet(callbackUrl?: string, more: Partial<TestWallet> = {}): bigint {
    walletsMade += 1n
    this.wallets.set(walletsMade, { callbackUrl, secret, ...more })
    return walletsMade
  }

  /** Callbacks of one process. */
  callbacks(options: Partial<Parameters<typeof createCallbacks>[0]> = {}) {
    const metrics = new Registry()
    const callbacks = createCallbacks({
      database: this.database,
      clock: this.clock,
      random: systemRandomness,
      keyring,
      endpointsOf: async (walletId) => this.#walletOf(walletId),
      credentialsOf: async (walletId) => ({
        user: `cb_${walletId}`,
        signingSecrets: [signingSecret],
        ...this.#walletOf(walletId),
      }),
      publicOnly: false,
      version: '1.2.3',
      metrics,
      onError: (error) => this.errors.push(error),
      attemptTimeoutMs: patienceSeconds * 1000,
      pollMs: 50,
      stopGraceMs: 200,
      ...options,
    })
    return { ...callbacks, registry: metrics }
  }

  event(walletId: bigint, more: Partial<NewEvent> = {}): NewEvent {
    const now = this.clock.now()
    const subject = newId(now, systemRandomness)
    return {
      id: newId(now, systemRandomness),
      walletId,
      kind: 'operation',
      subject,
      event: 'COMPLETED',
      payload: { amount: 10.5, operation_id: subject, ext_invoiceid: `T-${randomBytes(4).toString('hex')}` },
      endpoint: 'wallet',
      hasEndpoint: true,
      createdAt: now,
      ...more,
    }
  }

  /** Records `count` events and returns them. */
  async record(walletId: bigint, count = 1, more: Partial<NewEvent> = {}): Promise<NewEvent[]> {
    const events = Array.from({ length: count }, () => this.event(walletId, more))
    await recordEvents(this.database, events)
    return events
  }

  /** Records `count` events with `offer`; returns how to end each. */
  async offer(
    callbacks: Pick<Callbacks, 'offer'>,
    walletId: bigint,
    count: number,
  ): Promise<readonly OfferedEvent[]> {
    const offers = Array.from({ length: count }, () => callbacks.offer(this.event(walletId)))
    const rows = offers.map(({ columns }) => ({ wallet_id: walletId, ...columns }))
    await this.database.run(insertOffered, offeredSet.parameters(rows))
    return offers
  }

  async delivery({ walletId, id }: NewEvent): Promise<DeliveryRow> {
    const [row] = await this.database.run(selectDelivery, [walletId, id])
    if (row === undefined) throw new Error(`no delivery of ${id}`)
    return row
  }

  async attempts({ walletId, id }: NewEvent): Promise<AttemptRow[]> {
    return this.database.run(selectAttempts, [walletId, id])
  }

  #walletOf(walletId: bigint): TestWallet {
    const wallet = this.wallets.get(walletId)
    if (wallet === undefined) throw new Error(`no wallet ${walletId}`)
    return wallet
  }
}

export interface DeliveryRow {
  state: string
  attempts: number
  due_at: Instant | null
  claim_id: string | null
  last_status: number | null
  last_error: string | null
  finished_at: Instant | null
}

interface AttemptRow {
  attempted_at: Instant
  http_status: number | null
  error: string | null
  duration_ms: number
}

const offeredSet = rowSet({ wallet_id: 'bigint', ...eventColumns })
const insertOffered = statement(`
  with input as (${offeredSet.source}), ${recordEventsSql('input')} select`)

const selectDelivery = statement<DeliveryRow>(
  'select * from deliveries where wallet_id = $1 and event_id = $2',
)
const selectAttempts = statement<AttemptRow>(
  'select * from delivery_tries where wallet_id = $1 and event_id = $2 order by attempted_at, id',
)
