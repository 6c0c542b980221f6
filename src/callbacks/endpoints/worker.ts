// The worker of further endpoints: follows the events of their wallets, then sends them as other callbacks.
import { setTimeout as pause } from 'node:timers/promises'
import { flow } from '../../kernel/crash-points.ts'
import type { Keyring } from '../../kernel/sealing.ts'
import { after, day, hour, second } from '../../kernel/time.ts'
import { runDetached } from '../../kernel/tracing.ts'
import type { ModuleWorker } from '../../module.ts'
import { pauseMs } from '../../storage/index.ts'
import type { LaneLimits } from '../sending/lanes.ts'
import { createDeliveryWorker, type WorkerDeps } from '../sending/worker.ts'
import { deleteOldDeliveries, dropDeleted } from './deliveries-store.ts'
import { endpointsMax } from './model.ts'
import { createEndpointQueue, followEvents, walletsWithEndpoints } from './queue.ts'

/** Tells other processes that an endpoint was created, changed or deleted. */
export const endpointsChannel = 'callback_endpoints'
/** Tells other processes that deliveries are due. */
export const endpointDeliveriesChannel = 'endpoint_deliveries'

const pollMsDefault = 1 * second
/** A notice announces a new endpoint. If the notice was lost, the next refresh finds the endpoint. */
const refreshMs = 30 * second
/** Events of this time are followed together. */
const gatherMs = 15
/** Reading all endpoints takes at most a twentieth of the time. */
const fullPauses = 20
const keptMs = 90 * day
const cleanMs = 1 * hour
/** A statement for more wallets could run long, and the order of events would wait for its end. */
const walletsAtOnce = 50

/** All endpoints of a wallet fit into its share, so none takes the place of another. */
const perLane = 16
const laneLimits: LaneLimits = { perLane, perWallet: perLane * (endpointsMax - 1) }

export interface EndpointWorkerDeps
  extends Omit<WorkerDeps, 'queue' | 'channel' | 'laneLimits' | 'followers'> {
  readonly keyring: Keyring
}

export interface EndpointWorker extends ModuleWorker {
  readonly last: true
  /** The wallets with an endpoint that is not paused, as far as this process knows. */
  readonly followed: ReadonlySet<bigint>
  /** Call after a commit with an event of the wallet; without one: of any wallet. */
  wake(walletId?: bigint): void
}

export function createEndpointWorker(deps: EndpointWorkerDeps): EndpointWorker {
  const { database, clock, keyring, onError } = deps
  const pollMs = deps.pollMs ?? pollMsDefault
  const followed = new Set<bigint>()
  const deliveries = createDeliveryWorker({
    ...deps,
    queue: createEndpointQueue({ database, keyring, isUsed: () => followed.size > 0 }),
    channel: endpointDeliveriesChannel,
    laneLimits,
  })
  const woken = new Set<bigint>()
  let all = true
  let fullAt = 0
  let refreshAt = 0
  let cleanAt = 0
  let started = false
  let running = false
  let again = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let lastRound: Promise<unknown> = Promise.resolve()

  /** Rounds of one process never meet, or one would skip what the other has locked. */
  function inTurn<Result>(round: () => Promise<Result>): Promise<Result> {
    const next = lastRound.then(() => flow(round))
    lastRound = next.catch(() => undefined)
    return next
  }

  async function refresh(): Promise<void> {
    refreshAt = performance.now() + refreshMs
    const walletIds = await walletsWithEndpoints(database)
    followed.clear()
    for (const id of walletIds) followed.add(id)
  }

  async function followWallets(walletIds: readonly bigint[]): Promise<number> {
    let total = 0
    for (let at = 0; at < walletIds.length; at += walletsAtOnce) {
      const some = walletIds.slice(at, at + walletsAtOnce)
      const { count, more } = await followEvents(database, some, clock.now())
      total += count
      if (!more) continue
      for (const id of some) woken.add(id)
      again = true
    }
    return total
  }

  async function follow(): Promise<number> {
    if (performance.now() >= refreshAt) await refresh()
    const isFull = all && performance.now() >= fullAt
    const walletIds = isFull ? [...followed] : [...woken].filter((id) => followed.has(id))
    woken.clear()
    if (isFull) all = false
    if (walletIds.length === 0) return 0
    const began = performance.now()
    const count = await followWallets(walletIds)
    if (isFull) fullAt = performance.now() + fullPauses * (performance.now() - began)
    if (count > 0) deliveries.wake()
    return count
  }

  async function clean(): Promise<void> {
    cleanAt = performance.now() + cleanMs
    await deleteOldDeliveries(database, after(clock.now(), -keptMs))
    await dropDeleted(database)
  }

  function begin(): void {
    if (!started) return
    again = true
    if (!running) void run()
  }

  async function run(): Promise<void> {
    running = true
    clearTimeout(timer)
    try {
      while (started && again) {
        again = false
        await pause(gatherMs)
        if (started) await inTurn(follow)
      }
      if (performance.now() >= cleanAt) await inTurn(clean)
      failures = 0
    } catch (error) {
      failures += 1
      all = true
      onError(error)
    }
    running = false
    if (!started) return
    const waitMs = followed.size === 0 ? refreshMs : Math.max(pollMs, fullAt - performance.now())
    timer = setTimeout(poll, pauseMs(waitMs, failures))
  }

  function poll(): void {
    all = true
    runDetached(begin)
  }

  return {
    last: true,
    followed,
    wake(walletId) {
      if (followed.size === 0) return
      if (walletId === undefined) all = true
      else woken.add(walletId)
      runDetached(begin)
    },
    async start() {
      await database.listen(endpointsChannel, () => {
        refreshAt = 0
        fullAt = 0
        poll()
      })
      await deliveries.start()
      started = true
      poll()
    },
    async stop() {
      started = false
      clearTimeout(timer)
      await lastRound
      await deliveries.stop()
    },
    async runDue(now, deadline) {
      const written = await inTurn(async () => {
        await refresh()
        let total = 0
        let left = followed.size > 0
        while (left) {
          const { count, more } = await followEvents(database, [...followed], clock.now())
          total += count
          left = more
        }
        await clean()
        return total
      })
      return written + (await deliveries.runDue(now, deadline))
    },
  }
}
