// The content of demo.json.
import { ok, type Result } from '../../kernel/result.ts'

export const demoFileName = 'demo.json'

/** Fixed by CONTRACT section 1. */
export interface DemoDocument {
  readonly base_url: string
  readonly auth_scheme: string
  readonly merchants: readonly DemoMerchant[]
  readonly consumers: readonly DemoConsumer[]
  readonly users: readonly DemoUser[]
}

export interface DemoUser {
  readonly email: string
  readonly password: string
  readonly role: string
  /** Absent for the operator. */
  readonly wallet_id?: number
}

export interface DemoMerchant {
  readonly name: string
  readonly wallet_id: number
  readonly public_id: string
  readonly api_key: string
  readonly esb_token: string
  readonly callback_user: string
  readonly callback_secret: string
  readonly callback_signing_secret: string
  readonly stores: readonly number[]
  readonly roles: readonly string[]
}

export interface DemoConsumer {
  readonly email: string
  readonly pin: string
  readonly phone: string
  readonly balance: string
}

const textFields = ['name', 'public_id', 'api_key', 'esb_token'] as const

/** The document in `text`, or the first wrong field; only the fields that commands use are checked. */
export function demoDocumentIn(text: string): Result<DemoDocument, string> {
  const document = parsed(text)
  if (document === undefined) return { ok: false, refusal: 'it is not JSON' }
  const problem = problemIn(document)
  return problem === undefined ? ok(document as DemoDocument) : { ok: false, refusal: problem }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemIn(document: unknown): string | undefined {
  if (!isObject(document)) return 'it is not an object'
  const { base_url, auth_scheme, merchants } = document
  if (typeof base_url !== 'string' || !URL.canParse(base_url)) return 'base_url is not an address'
  if (typeof auth_scheme !== 'string' || auth_scheme === '') return 'auth_scheme is empty or not text'
  if (!Array.isArray(merchants) || merchants.length === 0) return 'merchants is not a list, or is empty'
  for (const merchant of merchants) {
    if (!isObject(merchant)) return 'an entry of merchants is not an object'
    if (typeof merchant.wallet_id !== 'number') return 'wallet_id of a merchant is not a number'
    const missing = textFields.find((field) => typeof merchant[field] !== 'string')
    if (missing !== undefined) return `${missing} of a merchant is not text`
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
