// Fault injection for calls over rails.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { type ChaosSetting, type Fault, type FaultyRail, faultOf, type WhichSettings } from './model.ts'
import type { OwnFaults } from './rules.ts'
import { dropOver, dropSettings, keepSetting, listSettings, takeCall } from './store.ts'

const channel = 'sandbox_chaos'

export interface Chaos {
  /** A cheap check before the others, because most calls meet no fault. */
  isPossible(rail: FaultyRail): boolean
  /**
   * The fault for this call. It uses up one call of a setting with a limit.
   * @param isOf whether the call belongs to this merchant
   */
  meet(rail: FaultyRail, isOf: (walletId: bigint) => boolean | Promise<boolean>): Promise<Fault | undefined>
  /** The fault from the header of the request that is being handled. */
  ownFault(rail: FaultyRail): Fault | undefined
  /** Runs `work` with the faults of one request. Calls of other requests do not meet them. */
  within<T>(faults: OwnFaults, work: () => T): T
  list(): readonly ChaosSetting[]
  set(setting: ChaosSetting): Promise<void>
  /** Ends all settings, or only the settings of one rail or merchant. */
  clear(which?: WhichSettings): Promise<void>
}

export interface ChaosDeps {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Loads the stored settings, and again whenever another process changes them. */
export async function createChaos({ database, clock, onError }: ChaosDeps): Promise<Chaos> {
  const own = new AsyncLocalStorage<OwnFaults>()
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
      // The setting of this merchant has priority over the general one.
      for (const setting of list().toReversed()) {
        const { walletId, callsLeft } = setting
        if (setting.rail !== rail || (walletId !== undefined && !(await isOf(walletId)))) continue
        if (callsLeft === undefined) return faultOf(setting)
        const taken = await takeCall(database, rail, walletId)
        await changed()
        if (taken !== undefined) return faultOf(setting)
      }
      return undefined
    },
    ownFault: (rail) => own.getStore()?.get(rail),
    within: (faults, work) => own.run(faults, work),
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
