// Chaos: decides which trouble a call meets, from what is set for all and from what the request asked for itself.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { type ChaosSetting, type Trouble, type TroubledRail, troubleOf, type WhichSettings } from './model.ts'
import type { OwnTroubles } from './rules.ts'
import { dropOver, dropSettings, keepSetting, listSettings, takeCall } from './store.ts'

const channel = 'sandbox_chaos'

export interface Chaos {
  /** Whether calls over a rail may meet trouble: asked first, because mostly they do not. */
  isPossible(rail: TroubledRail): boolean
  /**
   * The trouble that a call meets now, which counts as one of those that a limited setting meets.
   *
   * @param isOf whether the call is made for this merchant
   */
  meet(
    rail: TroubledRail,
    isOf: (walletId: bigint) => boolean | Promise<boolean>,
  ): Promise<Trouble | undefined>
  /** The trouble that the request asked for in whose name this runs. */
  ownFault(rail: TroubledRail): Trouble | undefined
  /** Runs `work` with trouble of its own: all calls that it makes meet it, and those of nobody else. */
  within<T>(troubles: OwnTroubles, work: () => T): T
  /** What is set, and not over. */
  list(): readonly ChaosSetting[]
  set(setting: ChaosSetting): Promise<void>
  /** All well again; of one rail or one merchant where they are named. */
  clear(which?: WhichSettings): Promise<void>
}

export interface ChaosDeps {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Reads what is set, which outlives the process, and follows every change by another one. */
export async function createChaos({ database, clock, onError }: ChaosDeps): Promise<Chaos> {
  const own = new AsyncLocalStorage<OwnTroubles>()
  let known: readonly ChaosSetting[] = []

  async function reload(): Promise<void> {
    known = await listSettings(database)
  }

  async function changed(): Promise<void> {
    await reload()
    await database.notify(channel, '')
  }

  const list = () => known.filter(({ endsAt }) => endsAt === undefined || clock.now() < endsAt)

  await database.listen(channel, () => {
    reload().catch(onError)
  })
  await reload()

  return {
    isPossible: (rail) =>
      known.some((setting) => setting.rail === rail) || own.getStore()?.has(rail) === true,
    async meet(rail, isOf) {
      const asked = own.getStore()?.get(rail)
      if (asked !== undefined) return asked
      // A merchant's own setting comes before that for everybody.
      for (const setting of list().toReversed()) {
        const { walletId, callsLeft } = setting
        if (setting.rail !== rail || (walletId !== undefined && !(await isOf(walletId)))) continue
        if (callsLeft === undefined) return troubleOf(setting)
        const taken = await takeCall(database, rail, walletId)
        await changed()
        if (taken !== undefined) return troubleOf(setting)
      }
      return undefined
    },
    ownFault: (rail) => own.getStore()?.get(rail),
    within: (troubles, work) => own.run(troubles, work),
    list,
    async set(setting) {
      await dropOver(database, clock.now())
      await keepSetting(database, setting)
      await changed()
    },
    async clear(which = {}) {
      await dropSettings(database, which)
      await changed()
    },
  }
}
