// JSON in the spelling of the SIBS Payment Gateway.
import type { ProviderAnswer } from '../http-provider.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
export type Json = any

export function json(text: string): Json {
  return text === '' ? {} : JSON.parse(text)
}

export function answered(body: object): ProviderAnswer {
  return written(200, { returnStatus: { statusCode: '000', statusMsg: 'Success' }, ...body })
}

export function failed(status: number, statusCode: string): ProviderAnswer {
  return written(status, { returnStatus: { statusCode, statusMsg: 'Error' } })
}

function written(status: number, body: object): ProviderAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Undefined unless a JSON number with at most two decimals. */
export function centsOf(amount: Json): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(amount?.value)) ?? []
  if (typeof amount?.value !== 'number' || amount.currency !== 'EUR' || whole === undefined) return undefined
  return BigInt(whole + decimals.padEnd(2, '0'))
}

export function euros(amount: bigint): object {
  return { value: Number(amount) / 100, currency: 'EUR' }
}
