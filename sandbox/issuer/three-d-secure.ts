// Simulated directory server and issuer for 3-D Secure.
import { newId, type Randomness } from '../../src/kernel/random.ts'
import { after, minute } from '../../src/kernel/time.ts'
import {
  type AReq,
  type ARes,
  readMessage,
  type ThreeDSecure,
  ThreeDSecureError,
} from '../../src/rails/index.ts'
import { behaviourOf, brandOf } from '../test-cards.ts'
import type { IssuerContext } from './context.ts'
import { attemptsMax, type Challenge, challengeMinutesMax } from './model.ts'
import { openChallenge } from './store.ts'

const mastercard = 'mastercard'
/** The card networks use different versions, so that tests cover both. */
const versionByBrand: Readonly<Record<string, string>> = { [mastercard]: '2.3.1' }
const versionDefault = '2.2.0'
const eciByBrand: Readonly<Record<string, string>> = { [mastercard]: '02' }
const eciDefault = '05'
const suspectedFraud = '11'
const oneTimeCode = '02'
const authenticationValueBytes = 20

/** ISO 4217 numbers of the gateway's currencies. */
const currencies: Readonly<Record<string, string>> = { '978': 'EUR' }

export const challengePath = '/sandbox/issuer/challenge'
export const methodPath = '/sandbox/issuer/method'

export function createThreeDSecure(context: IssuerContext): ThreeDSecure {
  return {
    async versions(cardNumber) {
      const brand = brandOf(cardNumber)
      const version = versionByBrand[brand] ?? versionDefault
      const wantsToSeeBrowser = brand === mastercard || behaviourOf(cardNumber).issuer.kind === 'challenge'
      return wantsToSeeBrowser ? { version, methodUrl: context.baseUrl + methodPath } : { version }
    },

    async authenticate(areq) {
      const read = readMessage('AReq', areq)
      if (!read.ok) throw refusalOf(areq, read.errorCode, read.errorDetail, context)
      const { issuer } = behaviourOf(areq.acctNumber)
      switch (issuer.kind) {
        case 'frictionless':
          return {
            ...answerTo(areq, context),
            transStatus: 'Y',
            eci: eciOf(brandOf(areq.acctNumber)),
            authenticationValue: newAuthenticationValue(context.random),
          }
        case 'rejected':
          return { ...answerTo(areq, context), transStatus: 'R', transStatusReason: suspectedFraud }
        case 'challenge':
          return challengeFor(areq, issuer.otp, context)
      }
    },
  }
}

function answerTo(areq: AReq, { clock, random }: IssuerContext) {
  return {
    messageType: 'ARes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: areq.threeDSServerTransID,
    dsTransID: newId(clock.now(), random),
    acsTransID: newId(clock.now(), random),
  } as const
}

/** The electronic commerce indicator (ECI) after a full authentication. */
export function eciOf(brand: string): string {
  return eciByBrand[brand] ?? eciDefault
}

export function newAuthenticationValue(random: Randomness): string {
  return Buffer.from(random.bytes(authenticationValueBytes)).toString('base64')
}

async function challengeFor(areq: AReq, otp: string, context: IssuerContext): Promise<ARes> {
  const answer = answerTo(areq, context)
  const challenge = await openChallenge(context.database, challengeOf(areq, answer, otp, context))
  return {
    ...answer,
    // A repeated request gets the same challenge.
    dsTransID: challenge.dsTransId,
    acsTransID: challenge.acsTransId,
    transStatus: 'C',
    acsURL: context.baseUrl + challengePath,
    acsChallengeMandated: 'Y',
    authenticationType: oneTimeCode,
  }
}

function challengeOf(
  areq: AReq,
  ids: Pick<ARes, 'dsTransID' | 'acsTransID'>,
  otp: string,
  { clock }: IssuerContext,
): Challenge {
  const now = clock.now()
  const { purchaseAmount, purchaseCurrency } = areq
  return {
    acsTransId: ids.acsTransID,
    threeDsServerTransId: areq.threeDSServerTransID,
    dsTransId: ids.dsTransID,
    messageVersion: areq.messageVersion,
    messageCategory: areq.messageCategory,
    merchantName: areq.merchantName ?? areq.threeDSRequestorName,
    amount: purchaseAmount === undefined ? undefined : BigInt(purchaseAmount),
    currency: purchaseCurrency === undefined ? undefined : (currencies[purchaseCurrency] ?? purchaseCurrency),
    brand: brandOf(areq.acctNumber),
    last4: areq.acctNumber.slice(-4),
    otp,
    state: 'open',
    attemptsLeft: attemptsMax,
    interactions: 0,
    authenticationValue: undefined,
    threeDsServerUrl: areq.threeDSServerURL,
    notificationUrl: areq.notificationURL,
    sessionData: undefined,
    createdAt: now,
    expiresAt: after(now, challengeMinutesMax * minute),
  }
}

const errorDescriptions = {
  '101': 'Message received invalid',
  '201': 'Required element missing',
  '203': 'Format of one or more elements is invalid',
}

function refusalOf(
  areq: AReq,
  errorCode: keyof typeof errorDescriptions,
  errorDetail: string,
  { logger }: IssuerContext,
): ThreeDSecureError {
  logger.warn({ errorCode, errorDetail }, 'the sandbox issuer cannot read the AReq')
  return new ThreeDSecureError({
    messageType: 'Erro',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: areq.threeDSServerTransID,
    errorCode,
    errorComponent: 'D',
    errorDescription: errorDescriptions[errorCode],
    errorDetail,
    errorMessageType: 'AReq',
  })
}
