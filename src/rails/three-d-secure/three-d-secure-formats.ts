// The formats of the 3-D Secure elements, as EMVCo defines them.
import { isUuid } from '../../kernel/random.ts'
import { holdsCredentials } from '../../kernel/values/web-address.ts'
import type { AReq, ARes, CReq, CRes, Erro, RReq, RRes } from './three-d-secure.ts'

export interface Messages {
  AReq: AReq
  ARes: ARes
  CReq: CReq
  CRes: CRes
  RReq: RReq
  RRes: RRes
  Erro: Erro
}

export interface Format {
  readonly required: boolean
  fits(value: unknown): boolean
}

type Formats<Message> = Readonly<Record<Exclude<keyof Message, 'messageType'>, Format>>

const urlLengthMax = 2048

const text = (min: number, max: number) => (value: unknown) =>
  typeof value === 'string' && value.length >= min && value.length <= max
const digits = (min: number, max: number) => matching(new RegExp(`^\\d{${min},${max}}$`))
const oneOf =
  (...words: string[]) =>
  (value: unknown) =>
    typeof value === 'string' && words.includes(value)

function matching(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

export function uuid(value: unknown): boolean {
  return typeof value === 'string' && isUuid(value)
}

export function url(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > urlLengthMax) return false
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '') && !holdsCredentials(value)
}

function flag(value: unknown): boolean {
  return typeof value === 'boolean'
}

const required = (fits: Format['fits']): Format => ({ required: true, fits })
const optional = (fits: Format['fits']): Format => ({ required: false, fits })

const version = required(matching(/^2\.\d\.\d$/))
const transStatus = required(oneOf('Y', 'N', 'U', 'A', 'C', 'R', 'I'))
const authenticationResult = {
  transStatusReason: optional(digits(2, 2)),
  eci: optional(digits(2, 2)),
  authenticationValue: optional(matching(/^[A-Za-z0-9+/]{26,28}={0,2}$/)),
  authenticationType: optional(digits(2, 2)),
}
const ids = {
  messageVersion: version,
  threeDSServerTransID: required(uuid),
  dsTransID: required(uuid),
  acsTransID: required(uuid),
}

export const formats: { readonly [Type in keyof Messages]: Formats<Messages[Type]> } = {
  AReq: {
    messageVersion: version,
    threeDSServerTransID: required(uuid),
    threeDSCompInd: required(oneOf('Y', 'N', 'U')),
    threeDSRequestorID: required(text(1, 35)),
    threeDSRequestorName: required(text(1, 40)),
    threeDSRequestorURL: required(url),
    threeDSRequestorAuthenticationInd: optional(digits(2, 2)),
    threeDSRequestorChallengeInd: optional(digits(2, 2)),
    threeDSServerURL: required(url),
    deviceChannel: required(oneOf('02')),
    messageCategory: required(oneOf('01', '02')),
    acctNumber: required(digits(13, 19)),
    cardExpiryDate: optional(matching(/^\d{2}(0[1-9]|1[0-2])$/)),
    cardholderName: optional(text(2, 45)),
    email: optional(text(3, 254)),
    acquirerBIN: optional(text(1, 11)),
    acquirerMerchantID: optional(text(1, 35)),
    mcc: optional(digits(4, 4)),
    merchantCountryCode: optional(digits(3, 3)),
    merchantName: optional(text(1, 40)),
    notificationURL: required(url),
    purchaseAmount: optional(digits(1, 48)),
    purchaseCurrency: optional(digits(3, 3)),
    purchaseExponent: optional(digits(1, 1)),
    purchaseDate: optional(digits(14, 14)),
    transType: optional(digits(2, 2)),
    browserAcceptHeader: required(text(0, 2048)),
    browserUserAgent: required(text(0, 2048)),
    browserLanguage: required(text(1, 35)),
    browserIP: optional(text(3, 45)),
    browserJavascriptEnabled: required(flag),
    browserJavaEnabled: optional(flag),
    browserColorDepth: optional(digits(1, 2)),
    browserScreenHeight: optional(digits(1, 6)),
    browserScreenWidth: optional(digits(1, 6)),
    browserTZ: optional(matching(/^[+-]?\d{1,4}$/)),
  },
  ARes: {
    ...ids,
    ...authenticationResult,
    transStatus,
    acsURL: optional(url),
    acsChallengeMandated: optional(oneOf('Y', 'N')),
  },
  CReq: {
    messageVersion: version,
    threeDSServerTransID: required(uuid),
    acsTransID: required(uuid),
    challengeWindowSize: required(oneOf('01', '02', '03', '04', '05')),
  },
  CRes: {
    messageVersion: version,
    threeDSServerTransID: required(uuid),
    acsTransID: required(uuid),
    transStatus,
    challengeCompletionInd: optional(oneOf('Y', 'N')),
  },
  RReq: {
    ...ids,
    ...authenticationResult,
    messageCategory: required(oneOf('01', '02')),
    transStatus,
    challengeCancel: optional(digits(2, 2)),
    interactionCounter: optional(digits(2, 2)),
  },
  RRes: { ...ids, resultsStatus: required(oneOf('01', '02', '03')) },
  Erro: {
    messageVersion: version,
    threeDSServerTransID: optional(uuid),
    dsTransID: optional(uuid),
    acsTransID: optional(uuid),
    errorCode: required(digits(3, 3)),
    errorComponent: required(oneOf('C', 'S', 'D', 'A')),
    errorDescription: required(text(1, 2048)),
    errorDetail: required(text(1, 2048)),
    errorMessageType: optional(text(4, 4)),
  },
}
