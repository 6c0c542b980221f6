// Sending one mail under its lease.
import { nextAttemptAt } from '../callbacks/index.ts'
import { crashPoint } from '../kernel/crash-points.ts'
import { open } from '../kernel/sealing.ts'
import type { Core } from '../module.ts'
import type { CarrierAnswer, MailCarrier } from '../rails/index.ts'
import { createManageLinks } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type BuiltMessage, buildMessage } from './content/message.ts'
import { writeMail } from './content/write.ts'
import type { MailMetrics } from './metrics.ts'
import { audienceOf, type ClaimedMail, type From, type Language, type MailDetails } from './model.ts'
import { isUnsubscribable, oneLine, readAddress } from './rules.ts'
import { isStopped, stopOf, stopPath, stopToken } from './stops.ts'
import { type FinishedMail, finishMail, languageOf, linkAssociatedData, switchesOf } from './store.ts'

export interface SendDeps
  extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'onError'> {
  readonly carrier: MailCarrier
  readonly from: From
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}

/** The language of hosted pages too, if the browser prefers no supported one. */
const languageDefault: Language = 'pt'

interface Prepared {
  readonly message: BuiltMessage
  readonly to: string
  readonly language: Language
}

/** The error for the log if the gateway cannot send any mail. */
class MailNotSent extends Error {
  constructor(text: string) {
    super(`mail cannot be sent, check SMTP_URL and the SMTP server: ${text}`)
    this.name = 'MailNotSent'
  }
}

export function createSendMail(deps: SendDeps, metrics: MailMetrics): (mail: ClaimedMail) => Promise<void> {
  const { database, clock, random, carrier, from, onError } = deps
  let isFailing = false

  /** Reports a failure once, until the server accepts a mail again. */
  function report(answer: CarrierAnswer): void {
    const fails = answer.kind === 'failed'
    if (fails && !isFailing) onError(new MailNotSent(oneLine(answer.text)))
    isFailing = fails
  }

  function outcomeOf(mail: ClaimedMail, answer: CarrierAnswer): Pick<FinishedMail, 'state' | 'dueAt'> {
    if (answer.kind === 'taken') return { state: 'SENT' }
    if (answer.kind === 'refused') return { state: 'REFUSED' }
    const dueAt = nextAttemptAt(mail.attempts, clock.now(), random)
    return dueAt === undefined ? { state: 'GIVEN_UP' } : { state: 'WAITING', dueAt }
  }

  async function attempt(mail: ClaimedMail, { message, to, language }: Prepared): Promise<FinishedMail> {
    crashPoint('mail claimed, not sent')
    const envelope = { from: from.address, to }
    const opensAccount = audienceOf(mail.kind) === 'team'
    const answer = await carrier.send({ ...message, envelope, opensAccount })
    crashPoint('mail sent, not marked')
    report(answer)
    const { kind, status, text } = answer
    const outcome = outcomeOf(mail, answer)
    metrics.attempted(outcome.state)
    const error = kind === 'taken' ? undefined : oneLine(text)
    return {
      ...outcome,
      attempted: true,
      status,
      error,
      recipient: to,
      language,
      title: message.parts.subject,
    }
  }

  return async (mail) => {
    let finished: FinishedMail
    try {
      const prepared = await prepare(deps, mail)
      finished =
        'skip' in prepared
          ? { state: 'SKIPPED', attempted: false, error: prepared.skip }
          : await attempt(mail, prepared)
    } catch (error) {
      onError(error)
      const outcome = outcomeOf(mail, { kind: 'failed', text: '' })
      finished = { ...outcome, attempted: true, error: 'could not be written' }
    }
    // If this fails, the lease ends and the mail is sent again with the same Message-ID.
    await finishMail(database, mail, finished, clock.now())
  }
}

async function prepare(deps: SendDeps, mail: ClaimedMail): Promise<Prepared | { readonly skip: string }> {
  const { database, clock, keyring, from, wallets } = deps
  const { walletId, kind } = mail
  const wallet = await wallets.find(walletId)
  if (wallet !== undefined && !(await switchesOf(database, walletId))[kind]) return { skip: 'switched_off' }
  const details = detailsOf(mail, keyring)
  const ofCustomer = audienceOf(kind) === 'customer' ? await languageOf(database, mail) : undefined
  const language = details.language ?? ofCustomer ?? wallet?.pageLanguage ?? languageDefault
  const links = createManageLinks(keyring)
  const writing = {
    ...{ db: database, mail, details, wallet, language, now: clock.now() },
    openChargeUrl: (id: string, charge: string) =>
      `${deps.baseUrl}${links.openChargePathOf(id, charge)}?lang=${language}`,
  }
  const written = await writeMail(writing)
  if ('skip' in written) return written
  if (written.to === undefined) return { skip: 'no_address' }
  const to = readAddress(written.to)
  if (to === undefined) return { skip: 'invalid_address' }
  const stop = stopOf(walletId, kind, to)
  const canStop = isUnsubscribable(kind)
  if (canStop && (await isStopped(database, stop))) return { skip: 'unsubscribed' }
  const stopUrl = canStop ? `${deps.baseUrl}${stopPath}/${stopToken(deps, stop)}` : undefined
  const date = mail.createdAt
  const message = await buildMessage({ id: mail.id, to, from, wallet, language, written, stopUrl, date })
  return { message, to, language }
}

function detailsOf({ walletId, id, details, sealed }: ClaimedMail, keyring: Core['keyring']): MailDetails {
  if (sealed === undefined) return details ?? {}
  return JSON.parse(open(keyring, sealed, linkAssociatedData(walletId, id)).toString()) as MailDetails
}
