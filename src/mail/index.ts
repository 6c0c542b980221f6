// The entry point of mail: stored in its cause's transaction, then sent by a worker.
import type { App } from '../http/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { newId } from '../kernel/random.ts'
import { seal } from '../kernel/sealing.ts'
import { after, day, type Instant, minute, second, toTimestamp } from '../kernel/time.ts'
import type { Module, ModuleWorker, PageCore } from '../module.ts'
import type { MailCarrier, SimulatedMoney } from '../rails/index.ts'
import { createPeriodicWorker, createWorker, type Executor, type Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { createMailMetrics } from './metrics.ts'
import type { AccountKind, ClaimedMail, From, MailDetails, MailKind } from './model.ts'
import { mailRoutes } from './routes.ts'
import { createSendMail } from './send.ts'
import { stopRoutes } from './stop-routes.ts'
import {
  addExpiring,
  addMail,
  claimMails,
  deleteFinished,
  linkAssociatedData,
  mailSecrets,
  skipOverdue,
  switchesOf,
} from './store.ts'

export type { From } from './model.ts'
export { readAddress } from './rules.ts'
export { createSmtpCarrier } from './smtp.ts'
export { keepLanguageSql } from './store.ts'

/** The mail server and sender. Absent: the gateway sends no mail. */
export interface MailRoute {
  readonly carrier: MailCarrier
  readonly from: From
}

export interface MailDeps {
  readonly core: PageCore
  readonly route: MailRoute | undefined
  readonly simulated: SimulatedMoney | undefined
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}

/** A link into the backoffice for one person. */
export interface AccountLink {
  readonly kind: AccountKind
  /** Undefined for the operators. */
  readonly walletId: bigint | undefined
  readonly email: string
  readonly url: string
  /** Real time. The sandbox's clock for payments can be ahead of it. */
  readonly expires: Instant
  readonly lifeMs: number
}

export interface Mail extends Module {
  readonly routes: NonNullable<Module['routes']>
  /** True if a mail server is set. */
  readonly isConfigured: boolean
  /** Writes the mail of an account's link, if its kind is on. Call it in the transaction that makes the link. */
  addAccountLink(tx: Executor, link: AccountLink): Promise<void>
  /** Writes the mail of a payment link, if its kind is on. Returns the id of the mail. */
  addPaymentLink(
    tx: Executor,
    link: {
      readonly walletId: bigint
      readonly id: string
      readonly to: string
      readonly details: MailDetails
    },
  ): Promise<string | undefined>
  /** Writes the mail of a refund's page, if its kind is on. Its link is a secret. */
  addRefundPage(
    tx: Executor,
    refund: { readonly walletId: bigint; readonly id: string; readonly details: MailDetails },
  ): Promise<void>
}

/** The wallet number of mail to people who belong to no merchant. */
const operatorsWalletId = 0n
const pollMs = 1 * second
const mailsAtOnce = 8
/** The lease is longer than an attempt may take. */
const leaseMs = 2 * minute
const keptDays = 90
/** The gateway tries to send a mail for this long. */
const waitingDays = 2
const deletedAtOnce = 1000
const remindersPollMs = 10 * minute

export function createMail(deps: MailDeps): Mail {
  const { core, route, wallets } = deps
  const { database, clock, random, keyring } = core

  async function isOn(db: Executor, walletId: bigint, kind: MailKind): Promise<boolean> {
    if (route === undefined) return false
    return walletId === operatorsWalletId || (await switchesOf(db, walletId))[kind]
  }

  return {
    isConfigured: route !== undefined,
    secrets: mailSecrets,
    workers: route === undefined ? withoutServer(core) : workersOf(deps, route),
    routes(app: App) {
      mailRoutes({ database, clock, isConfigured: route !== undefined })(app)
      stopRoutes({ core, simulated: deps.simulated, wallets })(app)
    },

    async addAccountLink(tx, { kind, walletId = operatorsWalletId, email, url, expires, lifeMs }) {
      if (!(await isOn(tx, walletId, kind))) return
      const at = clock.now()
      const id = newId(at, random)
      const details: MailDetails = { url, expires: toTimestamp(expires), lifeMs }
      const sealed = seal(keyring, JSON.stringify(details), linkAssociatedData(walletId, id), random)
      await addMail(tx, { walletId, id, kind, subject: id, occasion: '', recipient: email, sealed, at })
    },

    async addPaymentLink(tx, { walletId, id: subject, to, details }) {
      if (!(await isOn(tx, walletId, 'payment_link'))) return undefined
      const at = clock.now()
      const id = newId(at, random)
      await addMail(tx, {
        walletId,
        id,
        kind: 'payment_link',
        subject,
        occasion: id,
        recipient: to,
        details,
        at,
      })
      return id
    },

    async addRefundPage(tx, { walletId, id: subject, details }) {
      if (!(await isOn(tx, walletId, 'refund_page'))) return
      const at = clock.now()
      const id = newId(at, random)
      const sealed = seal(keyring, JSON.stringify(details), linkAssociatedData(walletId, id), random)
      await addMail(tx, { walletId, id, kind: 'refund_page', subject, occasion: '', sealed, at })
    },
  }
}

function workersOf({ core, wallets }: MailDeps, { carrier, from }: MailRoute): Record<string, ModuleWorker> {
  const { database, clock, onError } = core
  const metrics = createMailMetrics(core)
  const sending = createWorker<ClaimedMail>({
    name: 'mail',
    database,
    pollMs,
    concurrency: mailsAtOnce,
    claim(limit) {
      const now = clock.now()
      return claimMails(database, now, after(now, leaseMs), limit)
    },
    work: createSendMail({ ...core, carrier, from, wallets }, metrics),
    onError,
  })
  const daily: Worker = createPeriodicWorker({
    name: 'mail about cards',
    database,
    pollMs: remindersPollMs,
    onError,
    async run() {
      const now = clock.now()
      await addExpiring(database, monthOf(now), now)
      while ((await deleteFinished(database, after(now, -keptDays * day), deletedAtOnce)) === deletedAtOnce);
    },
  })
  return { mail: { ...sending, last: true }, mail_about_cards: daily }
}

/** Without a server, mail is skipped when it is two days late. A server that is set again then does not send it. */
function withoutServer({ database, clock, onError }: PageCore): Record<string, ModuleWorker> {
  const skipping = createPeriodicWorker({
    name: 'mail without a server',
    database,
    pollMs: remindersPollMs,
    onError,
    async run() {
      const now = clock.now()
      await skipOverdue(database, after(now, -waitingDays * day), now)
    },
  })
  return { mail: skipping }
}

/** `MM/YYYY`, as on cards. */
function monthOf(now: Instant): string {
  const [year, month] = lisbonDayOf(now).split('-')
  return `${month}/${year}`
}
