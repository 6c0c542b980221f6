// Our side of 3-D Secure: each attempt asks the issuer once, and only the issuer's report counts.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { crashPoint } from '../../../kernel/crash-points.ts'
import { deriveKey } from '../../../kernel/sealing.ts'
import { after, minute, second, toTimestamp } from '../../../kernel/time.ts'
import type { PageCore } from '../../../module.ts'
import {
  type CustomerEngine,
  findAttempt,
  findAttemptByThreeDsId,
  recordStep,
} from '../../../operations/for-methods.ts'
import {
  type AReq,
  type ARes,
  type CardAcquirer,
  callRail,
  type RReq,
  type RRes,
  type ThreeDSecure,
} from '../../../rails/index.ts'
import { cards } from '../facts.ts'
import {
  type Authentication,
  type BrowserFacts,
  type CardAttempt,
  type CardAttemptDetails,
  isReadyToAsk,
  stepOf,
  threeDsIdOf,
} from '../model.ts'
import { openCardOf, type Vault } from '../vault/index.ts'
import type { AttemptsInFlight, SecurityCodes } from './in-flight.ts'

export interface AttemptsContext {
  readonly core: PageCore
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly vault: Pick<Vault, 'find'>
  readonly engine: CustomerEngine<CardAttemptDetails>
  readonly securityCodes: SecurityCodes
  readonly inFlight: AttemptsInFlight
  /** The customer's next address: the page of the attempt, or after its end the merchant's page. */
  returnUrl(attempt: CardAttempt): Promise<string>
}

/** Whether the issuer's hidden page loaded: yes, no, or not used (EMV 3-D Secure threeDSCompInd). */
export type MethodCompletion = 'Y' | 'N' | 'U'

export const issuerTimeoutMs = 10_000
/** If a process has stored no answer after this time, it has died. */
const answerMinutesMax = 1
/** A customer who left the issuer's page does not return later. */
export const authenticationMinutesMax = 15
/** Time for another process, which has the security code, to continue the attempt. */
const codeHolderSeconds = 2
const merchantNameLengthMax = 40
const cardholderNameLengthMin = 2
const cardholderNameLengthMax = 45
export const authenticatedChannel = 'card_authenticated'

/**
 * Asks the issuer once and continues with its answer. Returns when the attempt is decided, or after a moment.
 * An acquirer that authenticates customers is asked for the money at once.
 */
export async function authenticate(
  context: AttemptsContext,
  started: CardAttempt,
  completion: MethodCompletion,
): Promise<void> {
  const { inFlight } = context
  if (stepOf(started) !== 'STARTED') return
  if (started.details.leftToAcquirer === true) return leaveToAcquirer(context, started)
  crashPoint('attempt begun, issuer not asked')
  const attempt = await moveTo(context, started, { step: 'ISSUER_ASKED' }, answerMinutesMax * minute)
  if (attempt === undefined) return
  const { version } = attempt.details
  if (version === undefined) return failAuthentication(context, attempt, 'not_enrolled')
  const question = questionOf(context, attempt, version, completion)
  const answer = await answerOf(context.threeDSecure.authenticate(question))
  if (answer === undefined) return failAuthentication(context, attempt, 'issuer_unavailable')
  const { acsURL: acsUrl, acsTransID: acsTransactionId } = answer
  if (answer.transStatus === 'C' && acsUrl !== undefined) {
    const challenge = { step: 'CHALLENGED', acsUrl, acsTransactionId } as const
    await moveTo(context, attempt, challenge, authenticationMinutesMax * minute)
    return
  }
  const authenticated = await recordVerdict(context, attempt, answer)
  if (authenticated === undefined) return
  inFlight.begin(attempt.key, continueAuthenticated(context, authenticated))
  await inFlight.waitBriefly(attempt.key)
}

async function leaveToAcquirer(context: AttemptsContext, started: CardAttempt): Promise<void> {
  const attempt = await moveTo(context, started, { step: 'LEFT_TO_ACQUIRER' }, codeHolderSeconds * second)
  if (attempt === undefined) return
  context.inFlight.begin(attempt.key, continueAuthenticated(context, attempt))
  await context.inFlight.waitBriefly(attempt.key)
}

function moveTo(
  { core }: AttemptsContext,
  attempt: CardAttempt,
  details: Partial<CardAttemptDetails>,
  lookMs: number,
): Promise<CardAttempt | undefined> {
  const now = core.clock.now()
  return recordStep(core.database, attempt, details, now, after(now, lookMs))
}

async function answerOf(question: Promise<ARes>): Promise<ARes | undefined> {
  const answer = await callRail(
    () => question.then((value) => ({ kind: 'answered' as const, value })),
    issuerTimeoutMs,
  )
  return answer.kind === 'answered' ? answer.value : undefined
}

type Verdict = Pick<RReq, 'transStatus' | 'eci' | 'authenticationValue' | 'dsTransID' | 'messageVersion'> &
  Partial<Pick<RReq, 'challengeCancel'>>

async function recordVerdict(
  context: AttemptsContext,
  attempt: CardAttempt,
  verdict: Verdict,
): Promise<CardAttempt | undefined> {
  if (!isAuthenticated(verdict.transStatus)) {
    const failure =
      verdict.challengeCancel === '01' ? 'authentication_cancelled' : failureOf(verdict.transStatus)
    await failAuthentication(context, attempt, failure)
    return undefined
  }
  const authentication: Authentication = {
    transStatus: verdict.transStatus,
    eci: verdict.eci,
    value: verdict.authenticationValue,
    dsTransId: verdict.dsTransID,
    version: verdict.messageVersion,
  }
  const details = { step: 'AUTHENTICATED', authentication } as const
  const authenticated = await moveTo(context, attempt, details, codeHolderSeconds * second)
  crashPoint('customer authenticated, approval not begun')
  return authenticated
}

/** Y: authenticated. A: attempted, and the issuer is liable. With any other status nothing is paid (PSD2). */
function isAuthenticated(transStatus: string): boolean {
  return transStatus === 'Y' || transStatus === 'A'
}

function failureOf(transStatus: string): string {
  if (transStatus === 'R') return 'authentication_rejected'
  return transStatus === 'U' ? 'issuer_unavailable' : 'authentication_failed'
}

async function continueAuthenticated(context: AttemptsContext, attempt: CardAttempt): Promise<void> {
  const { walletId, key, details } = attempt
  if (details.card === undefined || context.securityCodes.has(key)) await context.engine.ask(attempt)
  else await context.core.database.notify(authenticatedChannel, `${walletId}/${key}`)
}

/** Continues an attempt whose authentication ended in another process, if this one has its security code. */
export function onAuthenticated(context: AttemptsContext, payload: string): void {
  const [walletId, key] = payload.split('/')
  if (walletId === undefined || key === undefined || !context.securityCodes.has(key)) return
  context.inFlight.begin(key, continueById(context, BigInt(walletId), key))
}

async function continueById({ core, engine }: AttemptsContext, walletId: bigint, key: string): Promise<void> {
  const attempt = await findAttempt<CardAttemptDetails>(core.database, cards.code, walletId, key)
  if (attempt !== undefined && isReadyToAsk(attempt)) await engine.ask(attempt)
}

/** Fails the payment before the attempt. After a crash in between, both steps are repeated. */
async function failAuthentication(
  { securityCodes, engine }: AttemptsContext,
  attempt: CardAttempt,
  failure: string,
): Promise<void> {
  securityCodes.take(attempt.key)
  await engine.fail(attempt, failure)
}

/** The path contains a secret that only the issuer knows. */
function resultsPath(context: Pick<AttemptsContext, 'core'>, threeDsId: string): string {
  return `/3ds/results/${threeDsId}/${secretOf(context, threeDsId)}`
}

function secretOf({ core }: Pick<AttemptsContext, 'core'>, threeDsId: string): string {
  return createHmac('sha256', deriveKey(core.keyring, '3-D Secure results'))
    .update(threeDsId)
    .digest('base64url')
}

/**
 * Takes the issuer's report (RReq), which alone decides. A repeated report changes nothing. Returns undefined
 * if it is about no challenge of ours.
 */
export async function receiveResults(
  context: AttemptsContext,
  threeDsId: string,
  secret: string,
  report: RReq,
): Promise<RRes | undefined> {
  const expected = Buffer.from(secretOf(context, threeDsId))
  const given = Buffer.from(secret)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const attempt = await findAttemptByThreeDsId<CardAttemptDetails>(
    context.core.database,
    cards.code,
    threeDsId,
  )
  if (attempt === undefined || !isAbout(report, attempt)) return undefined
  // The result is written before the issuer gets its answer. The acquirer is asked afterwards.
  const authenticated =
    stepOf(attempt) === 'CHALLENGED' ? await recordVerdict(context, attempt, report) : undefined
  if (authenticated !== undefined)
    context.inFlight.begin(attempt.key, continueAuthenticated(context, authenticated))
  return {
    messageType: 'RRes',
    messageVersion: report.messageVersion,
    threeDSServerTransID: threeDsId,
    acsTransID: report.acsTransID,
    dsTransID: report.dsTransID,
    resultsStatus: '01',
  }
}

function isAbout(report: RReq, { threeDsId, details }: CardAttempt): boolean {
  return report.threeDSServerTransID === threeDsId && report.acsTransID === details.acsTransactionId
}

function questionOf(
  context: AttemptsContext,
  attempt: CardAttempt,
  version: string,
  completion: MethodCompletion,
): AReq {
  const { details } = attempt
  const threeDsId = threeDsIdOf(attempt)
  const isPayment = details.intent !== 'verify'
  const { number, name, expiry } = openCardOf(context.core.keyring, attempt)
  const merchantName = attempt.merchantName.slice(0, merchantNameLengthMax)
  const cardholderName = name.slice(0, cardholderNameLengthMax)
  return {
    messageType: 'AReq',
    messageVersion: version,
    messageCategory: isPayment ? '01' : '02',
    deviceChannel: '02',
    threeDSServerTransID: threeDsId,
    threeDSServerURL: context.core.baseUrl + resultsPath(context, threeDsId),
    threeDSRequestorID: String(attempt.walletId),
    threeDSRequestorName: merchantName,
    threeDSRequestorURL: context.core.baseUrl,
    threeDSRequestorAuthenticationInd: isPayment ? '01' : '04',
    threeDSCompInd: completion,
    notificationURL: `${context.core.baseUrl}/3ds/return/${threeDsId}`,
    acctNumber: number,
    cardExpiryDate: `${String(expiry.year).slice(2)}${String(expiry.month).padStart(2, '0')}`,
    ...(cardholderName.length < cardholderNameLengthMin ? {} : { cardholderName }),
    purchaseAmount: String(attempt.amount),
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: toTimestamp(attempt.createdAt).replace(/\D/g, '').slice(0, 14),
    merchantName,
    acquirerMerchantID: String(attempt.walletId),
    merchantCountryCode: '620',
    transType: '01',
    ...browserFields(details.browser),
  }
}

function browserFields(browser: BrowserFacts) {
  const always = {
    browserAcceptHeader: browser.acceptHeader,
    browserUserAgent: browser.userAgent,
    browserLanguage: browser.language ?? 'pt',
    ...(browser.ip === undefined ? {} : { browserIP: browser.ip }),
    browserJavascriptEnabled: browser.javascript,
  }
  if (!browser.javascript) return always
  return {
    ...always,
    browserJavaEnabled: false,
    browserColorDepth: String(browser.colorDepth ?? 24),
    browserScreenHeight: String(browser.screenHeight ?? 0),
    browserScreenWidth: String(browser.screenWidth ?? 0),
    browserTZ: String(browser.timezoneOffset ?? 0),
  }
}
