// Reading and writing of 3-D Secure messages, in base64url for browsers.
import {
  type CReq,
  type CRes,
  type Format,
  formats,
  type Messages,
  type ThreeDSMethodData,
  url,
  uuid,
} from './three-d-secure.ts'

/** The message, or the code for an Erro message: 101 wrong type, 201 missing, 203 wrong format. */
export type ReadMessage<Message> =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly errorCode: '101' | '201' | '203'; readonly errorDetail: string }

const paymentElements = [
  'merchantName',
  'purchaseAmount',
  'purchaseCurrency',
  'purchaseExponent',
  'purchaseDate',
]
const scriptElements = [
  'browserJavaEnabled',
  'browserColorDepth',
  'browserScreenHeight',
  'browserScreenWidth',
  'browserTZ',
]

export function readMessage<Type extends keyof Messages>(
  type: Type,
  value: unknown,
): ReadMessage<Messages[Type]> {
  if (!isRecord(value) || value.messageType !== type) {
    return { ok: false, errorCode: '101', errorDetail: 'messageType' }
  }
  const rules = Object.entries<Format>(formats[type])
  const demanded = new Set(conditionallyRequired(value))
  const missing = rules.filter(
    ([name, format]) => value[name] === undefined && (format.required || demanded.has(name)),
  )
  if (missing.length > 0) return { ok: false, errorCode: '201', errorDetail: namesOf(missing) }
  const wrong = rules.filter(([name, format]) => value[name] !== undefined && !format.fits(value[name]))
  if (wrong.length > 0) return { ok: false, errorCode: '203', errorDetail: namesOf(wrong) }
  return { ok: true, message: value as unknown as Messages[Type] }
}

function conditionallyRequired(message: Record<string, unknown>): string[] {
  const { messageType, messageCategory, browserJavascriptEnabled, transStatus: status } = message
  if (messageType === 'AReq') {
    return [
      ...(messageCategory === '01' ? paymentElements : []),
      ...(browserJavascriptEnabled === true ? scriptElements : []),
    ]
  }
  return messageType === 'ARes' && status === 'C' ? ['acsURL'] : []
}

function namesOf(rules: readonly (readonly [string, Format])[]): string {
  return rules.map(([name]) => name).join(',')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function encodeMessage(message: CReq | CRes): string {
  return toBase64Url(message)
}

export function decodeMessage<Type extends 'CReq' | 'CRes'>(
  type: Type,
  field: string,
): ReadMessage<Messages[Type]> {
  return readMessage(type, fromBase64Url(field))
}

export function encodeMethodData(data: ThreeDSMethodData): string {
  return toBase64Url(data)
}

export function decodeMethodData(field: string): ThreeDSMethodData | undefined {
  const data = fromBase64Url(field)
  if (!isRecord(data) || !uuid(data.threeDSServerTransID)) return undefined
  const notification = data.threeDSMethodNotificationURL
  if (notification !== undefined && !url(notification)) return undefined
  return data as unknown as ThreeDSMethodData
}

function toBase64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function fromBase64Url(field: string): unknown {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(field)) return undefined
  try {
    return JSON.parse(Buffer.from(field, 'base64url').toString())
  } catch {
    return undefined
  }
}
