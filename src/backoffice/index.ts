// The entry point of the backoffice: people, access, and routes of the web application.
import type { App, PeopleGuard } from '../http/index.ts'
import { isUuid } from '../kernel/random.ts'
import { hour } from '../kernel/time.ts'
import { accountRefundMethods } from '../methods/list.ts'
import type { Module } from '../module.ts'
import { findOperation } from '../operations/index.ts'
import { createPeriodicWorker } from '../storage/index.ts'
import { type ActionLog, createActionLog } from './access/action-log.ts'
import { createBackofficeGuard } from './access/guard.ts'
import { forPeople } from './access/public-routes.ts'
import { type Auth, createAuth } from './accounts/auth.ts'
import { type DemoUser, ensureDemoUsers } from './accounts/demo-users.ts'
import { createPeople, type People } from './accounts/people.ts'
import { authRoutes } from './accounts/sign-in/auth-routes.ts'
import { createKnownDevices } from './accounts/sign-in/known-devices.ts'
import { createSignInLimits } from './accounts/sign-in/sign-in-limits.ts'
import { createSignInLog } from './accounts/sign-in/sign-in-log.ts'
import { apiRoutes } from './api/index.ts'
import { backofficePages } from './pages.ts'
import type { BackofficeDeps, BackofficeParts } from './parts.ts'

export type { ActionLog, BegunAction } from './access/action-log.ts'
export type { DemoUser } from './accounts/demo-users.ts'
export type { People } from './accounts/people.ts'
export type { BackofficeDeps } from './parts.ts'

export interface Backoffice extends Omit<Module, 'routes'> {
  readonly guard: PeopleGuard
  readonly people: People
  readonly log: ActionLog
  demoUsers(wallets: readonly { readonly name: string; readonly walletId: number }[]): Promise<DemoUser[]>
  /** The routes of the pages. `publicRoutes` of the API are served to signed-in people too. */
  routes(publicRoutes: readonly { readonly routes: (app: App) => void }[]): (app: App) => void
}

export function createBackoffice(deps: BackofficeDeps): Backoffice {
  const { database } = deps
  let loading: Promise<Auth> | undefined
  const auth = () => {
    loading ??= createAuth(deps)
    return loading
  }
  const limits = createSignInLimits(deps)
  const devices = createKnownDevices(deps)
  const people = createPeople(deps)
  const log = createActionLog(deps)
  const guard = createBackofficeGuard({
    ...deps,
    auth,
    log,
    findWallet: deps.wallets.find,
    refundsOf: async (walletId, operationId) => {
      const operation = isUuid(operationId) ? await findOperation(database, walletId, operationId) : undefined
      if (operation === undefined) return { whole: 0n, refunded: 0n }
      const { amount: whole, refunded, cameBack, method } = operation
      const isToAccount = accountRefundMethods.some((one) => one === method)
      return { whole, refunded: isToAccount ? refunded : refunded + cameBack }
    },
  })
  const parts: BackofficeParts = { ...deps, guard, people, limits, devices }

  return {
    guard,
    people,
    log,
    workers: {
      failed_sign_ins: createPeriodicWorker({
        name: 'failed sign-ins',
        database,
        pollMs: hour,
        onError: deps.onError,
        run: limits.purge,
      }),
    },
    demoUsers: (wallets) => ensureDemoUsers(deps, wallets),
    routes: (publicRoutes) => (app) => {
      app.decorateRequest('person', undefined)
      app.decorateRequest('role', undefined)
      app.decorateRequest('teamAsksTwoFactor', false)
      app.decorateRequest('action', undefined)
      app.decorateRequest('concerns', undefined)
      app.decorateRequest('refundCeiling', undefined)
      const signIns = createSignInLog(deps)
      authRoutes({ ...deps, auth, limits, devices, log: signIns, personOf: guard.personOf })(app)
      for (const register of apiRoutes(parts)) register(app)
      for (const { routes } of publicRoutes) routes(forPeople(app))
      backofficePages(deps)(app)
    },
  }
}
