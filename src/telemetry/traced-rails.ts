// Spans for calls to rails.
import { type Span, type Tracing, tracing } from '../kernel/tracing.ts'
import type { GatewayRails } from '../rails/index.ts'

const traced = [
  'acquirer',
  'threeDSecure',
  'mobileWallet',
  'onlineWallet',
  'onlineWallets',
  'directDebit',
  'creditTransfer',
  'referenceNetworks',
] as const satisfies readonly (keyof GatewayRails)[]

const answeredAtOnce = new Set<PropertyKey>(['serves', 'hasCardForm', 'creditorOf', 'lacks'])

/** Gives each call a span such as `acquirer.authorize`. */
export function tracedRails<Rails extends GatewayRails>(rails: Rails): Rails {
  if (tracing === undefined) return rails
  const spans = tracing
  return {
    ...rails,
    ...Object.fromEntries(traced.map((name) => [name, overDriver(spans, name, rails[name] ?? {})])),
  }
}

function overDriver<Driver extends object>(spans: Tracing, name: string, driver: Driver): Driver {
  return new Proxy(driver, {
    get(of, property) {
      const value: unknown = Reflect.get(of, property, of)
      if (typeof value === 'object' && value !== null)
        return overDriver(spans, `${name}.${String(property)}`, value)
      if (typeof value !== 'function' || answeredAtOnce.has(property)) return value
      const call = (...args: unknown[]): unknown => value.apply(of, args)
      if (property === 'serving') return (walletId: bigint) => servingOver(spans, call(walletId))
      return (...args: unknown[]) => {
        const verb = `${name}.${String(property)}`
        const facts = { 'comporta.rail.call': verb, 'comporta.rail.key': keyOf(args[0]) }
        return spans.span(verb, { kind: 'client', facts }, (span) => noted(span, args, call))
      }
    },
  })
}

/** The span ends with the call, or when the gateway stops waiting, because some drivers never answer. */
async function noted(span: Span, args: readonly unknown[], call: (...args: unknown[]) => unknown) {
  const signal = args.find((argument) => argument instanceof AbortSignal)
  signal?.addEventListener('abort', () => span.end('no answer in time'), { once: true })
  const answer = await call(...args)
  span.note({ 'comporta.rail.answer': wordOf(answer, 'kind') })
  return answer
}

function servingOver(spans: Tracing, network: unknown): unknown {
  return typeof network === 'object' && network !== null
    ? overDriver(spans, 'referenceNetworks.serving', network)
    : network
}

function keyOf(asked: unknown): string | undefined {
  const key = typeof asked === 'string' ? asked : wordOf(asked, 'key')
  return key !== undefined && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(key) ? key : undefined
}

function wordOf(value: unknown, field: string): string | undefined {
  const word =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
  return typeof word === 'string' ? word : undefined
}
