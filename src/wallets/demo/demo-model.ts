// What demo.json holds, and whether a text is one: whoever reads the file may find something else in its place.
import { ok, type Result } from '../../kernel/result.ts'

export const demoFileName = 'demo.json'

/** The content of demo.json, as CONTRACT section 1 fixes it. */
export interface DemoDocument {
  readonly base_url: string
  readonly auth_scheme: string
  /** At least one. */
  readonly merchants: readonly DemoMerchant[]
  readonly consumers: readonly DemoConsumer[]
  readonly users: readonly DemoUser[]
}

/** Somebody who may sign in to the backoffice. */
export interface DemoUser {
  readonly email: string
  readonly password: string
  readonly role: string
  /** Whose team; absent for the operator. */
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
  /** What the consumer was given at the start, in euros. */
  readonly balance: string
}

const words = ['name', 'public_id', 'api_key', 'esb_token'] as const

/** The document in a text, or in words which part of it is not as a gateway writes it. Only what commands use is looked at. */
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
  if (!isObject(document)) return 'it is no object'
  const { base_url, auth_scheme, merchants } = document
  if (typeof base_url !== 'string' || !URL.canParse(base_url)) return 'base_url is no address'
  if (typeof auth_scheme !== 'string' || auth_scheme === '') return 'auth_scheme is no word'
  if (!Array.isArray(merchants) || merchants.length === 0) return 'merchants is no list with one at least'
  for (const merchant of merchants) {
    if (!isObject(merchant)) return 'merchants holds something that is no object'
    if (typeof merchant.wallet_id !== 'number') return 'wallet_id of a merchant is no number'
    const missing = words.find((word) => typeof merchant[word] !== 'string')
    if (missing !== undefined) return `${missing} of a merchant is no text`
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
