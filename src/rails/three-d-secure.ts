// EMV 3-D Secure 2.2.0 and 2.3.1 messages, with EMVCo's names and formats.
import { isUuid } from '../kernel/random.ts'
import { holdsCredentials } from '../kernel/values/web-address.ts'

export interface Format<Value = unknown, Required extends boolean = boolean> {
  readonly required: Required
  fits(value: unknown): value is Value
}

type Fits<Value> = (value: unknown) => value is Value

const urlLengthMax = 2048

const text =
  (min: number, max: number): Fits<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length >= min && value.length <= max
const matching =
  (pattern: RegExp): Fits<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value)
const digits = (min: number, max: number) => matching(new RegExp(`^\\d{${min},${max}}$`))
const oneOf =
  <Word extends string>(...words: Word[]): Fits<Word> =>
  (value): value is Word =>
    words.some((word) => word === value)

export function uuid(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value)
}

export function url(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > urlLengthMax) return false
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '') && !holdsCredentials(value)
}

const flag = (value: unknown) => typeof value === 'boolean'
const required = <Value>(fits: Fits<Value>): Format<Value, true> => ({ required: true, fits })
const optional = <Value>(fits: Fits<Value>): Format<Value, false> => ({ required: false, fits })

const messageVersion = required(matching(/^2\.\d\.\d$/))
/** Y authenticated, N not, U unavailable, A attempted, C challenge, R rejected, I informational. */
const transStatus = required(oneOf('Y', 'N', 'U', 'A', 'C', 'R', 'I'))
/** 01 payment, 02 no payment (a card is being stored). */
const messageCategory = required(oneOf('01', '02'))
const authenticationResult = {
  /** The reason, if the status is not Y. */
  transStatusReason: optional(digits(2, 2)),
  eci: optional(digits(2, 2)),
  authenticationValue: optional(matching(/^[A-Za-z0-9+/]{26,28}={0,2}$/)),
  /** 01 static, 02 dynamic, 03 out of band. */
  authenticationType: optional(digits(2, 2)),
}
const ids = {
  messageVersion,
  threeDSServerTransID: required(uuid),
  dsTransID: required(uuid),
  acsTransID: required(uuid),
}
const challenge = { messageVersion, threeDSServerTransID: required(uuid), acsTransID: required(uuid) }

export const formats = {
  /** Authentication request. It contains the card number, so keep it in memory only. */
  AReq: {
    messageVersion,
    threeDSServerTransID: required(uuid),
    threeDSCompInd: required(oneOf('Y', 'N', 'U')),
    threeDSRequestorID: required(text(1, 35)),
    threeDSRequestorName: required(text(1, 40)),
    threeDSRequestorURL: required(url),
    /** 01 payment, 02 recurring, 04 add card. */
    threeDSRequestorAuthenticationInd: optional(digits(2, 2)),
    /** 01 no preference, 03 challenge wanted, 04 challenge mandated. */
    threeDSRequestorChallengeInd: optional(digits(2, 2)),
    threeDSServerURL: required(url),
    /** 02: browser. */
    deviceChannel: required(oneOf('02')),
    messageCategory,
    acctNumber: required(digits(13, 19)),
    cardExpiryDate: optional(matching(/^\d{2}(0[1-9]|1[0-2])$/)),
    cardholderName: optional(text(2, 45)),
    email: optional(text(3, 254)),
    acquirerBIN: optional(text(1, 11)),
    acquirerMerchantID: optional(text(1, 35)),
    mcc: optional(digits(4, 4)),
    /** ISO 3166-1 numeric. */
    merchantCountryCode: optional(digits(3, 3)),
    /** The name that the cardholder sees. */
    merchantName: optional(text(1, 40)),
    notificationURL: required(url),
    purchaseAmount: optional(digits(1, 48)),
    /** ISO 4217 numeric: 978 is EUR. */
    purchaseCurrency: optional(digits(3, 3)),
    purchaseExponent: optional(digits(1, 1)),
    purchaseDate: optional(digits(14, 14)),
    /** 01: goods or services. */
    transType: optional(digits(2, 2)),
    browserAcceptHeader: required(text(0, 2048)),
    browserUserAgent: required(text(0, 2048)),
    browserLanguage: required(text(1, 35)),
    browserIP: optional(text(3, 45)),
    browserJavascriptEnabled: required(flag),
    /** This and the next four fields are required if the browser runs JavaScript. */
    browserJavaEnabled: optional(flag),
    browserColorDepth: optional(digits(1, 2)),
    browserScreenHeight: optional(digits(1, 6)),
    browserScreenWidth: optional(digits(1, 6)),
    /** UTC minus local time, in minutes. */
    browserTZ: optional(matching(/^[+-]?\d{1,4}$/)),
  },
  /** Authentication response, which is a result or a challenge. */
  ARes: {
    ...ids,
    ...authenticationResult,
    transStatus,
    /** The browser posts `creq` to this address if transStatus is C. */
    acsURL: optional(url),
    acsChallengeMandated: optional(oneOf('Y', 'N')),
  },
  CReq: {
    ...challenge,
    /** 250×400, 390×400, 500×600, 600×400, full screen. */
    challengeWindowSize: required(oneOf('01', '02', '03', '04', '05')),
  },
  /** Challenge response, which the browser posts as `cres`. Anyone could write one, so never trust it. */
  CRes: { ...challenge, transStatus, challengeCompletionInd: optional(oneOf('Y', 'N')) },
  /** Results request: the issuer sends its result to `threeDSServerURL` before the browser returns. */
  RReq: {
    ...ids,
    ...authenticationResult,
    messageCategory,
    transStatus,
    /** 01 cancelled by the cardholder, 05 timed out at the issuer. */
    challengeCancel: optional(digits(2, 2)),
    interactionCounter: optional(digits(2, 2)),
  },
  RRes: { ...ids, resultsStatus: required(oneOf('01', '02', '03')) },
  Erro: {
    messageVersion,
    threeDSServerTransID: optional(uuid),
    dsTransID: optional(uuid),
    acsTransID: optional(uuid),
    /** For example 201 element missing, 203 format invalid, 301 transaction unknown. */
    errorCode: required(digits(3, 3)),
    /** C app, S 3DS server, D directory server, A issuer. */
    errorComponent: required(oneOf('C', 'S', 'D', 'A')),
    errorDescription: required(text(1, 2048)),
    errorDetail: required(text(1, 2048)),
    errorMessageType: optional(text(4, 4)),
  },
}

type ValueOf<F> = F extends Format<infer Value> ? Value : never

type MessageOf<Type extends keyof typeof formats, Formats = (typeof formats)[Type]> = {
  readonly messageType: Type
} & {
  readonly [Name in keyof Formats as Formats[Name] extends Format<unknown, true> ? Name : never]: ValueOf<
    Formats[Name]
  >
} & {
  readonly [Name in keyof Formats as Formats[Name] extends Format<unknown, false> ? Name : never]?: ValueOf<
    Formats[Name]
  >
}

export type Messages = { [Type in keyof typeof formats]: MessageOf<Type> }

export type AReq = Messages['AReq']
export type ARes = Messages['ARes']
export type CReq = Messages['CReq']
export type CRes = Messages['CRes']
export type RReq = Messages['RReq']
export type RRes = Messages['RRes']
export type TransStatus = ARes['transStatus']

/** The data that a hidden frame of the browser posts to the method page, which posts it back. */
export interface ThreeDSMethodData {
  readonly threeDSServerTransID: string
  readonly threeDSMethodNotificationURL?: string
}

export interface ThreeDSecure {
  /** The version, and the page that must see the browser first. Undefined: the card has no 3-D Secure. */
  versions(cardNumber: string): Promise<{ readonly version: string; readonly methodUrl?: string } | undefined>
  authenticate(areq: AReq): Promise<ARes>
}

export class ThreeDSecureError extends Error {
  readonly erro: Messages['Erro']

  constructor(erro: Messages['Erro']) {
    super(`3-D Secure error ${erro.errorCode}: ${erro.errorDescription} (${erro.errorDetail})`)
    this.name = 'ThreeDSecureError'
    this.erro = erro
  }
}
