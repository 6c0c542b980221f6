// Fault settings: rail, kind, merchant and duration.
import { second } from '../../src/kernel/time.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

/** Parts that can fail. `callbacks` means the servers of merchants. */
export const faultyRails = [
  'acquirer',
  'issuer',
  'mobile_wallet',
  'online_wallet',
  'references',
  'bank',
  'callbacks',
] as const
export type FaultyRail = (typeof faultyRails)[number]

export const faultKinds = ['slow', 'silent', 'down', 'error'] as const
export type FaultKind = (typeof faultKinds)[number]

/**
 * `slow`: the network acts and answers after `seconds`. `silent`: it acts and never answers. `down`: it refuses the
 * connection. `error`: it does nothing and answers with `status`.
 */
export type Fault =
  | { readonly kind: 'slow'; readonly seconds: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'down' }
  | { readonly kind: 'error'; readonly status: number }

export const secondsMax = 60
export const secondsDefault = 5
export const statusMin = 400
export const statusMax = 599
export const statusDefault = 503
export const callsMax = 1000
export const minutesMax = 10_080

/** A silent connection ends after this time. The gateway stops waiting earlier. */
export const silenceMs = 20 * second

export const settings = table('sandbox.chaos', {
  rail: column.text<FaultyRail>(),
  /** The merchant whose calls fail. Undefined: calls for all merchants fail. */
  walletId: column.bigint().optional(),
  kind: column.text<FaultKind>(),
  seconds: column.integer().optional(),
  status: column.integer().optional(),
  callsLeft: column.integer().optional(),
  endsAt: column.instant().optional(),
})

export type ChaosSetting = RowOf<typeof settings>

/** Selects settings. Without fields it selects all. */
export interface WhichSettings {
  readonly rail?: FaultyRail | undefined
  readonly walletId?: bigint | undefined
  readonly everybodys?: boolean | undefined
}

export function faultOf({ kind, seconds, status }: ChaosSetting): Fault {
  if (kind === 'slow') return { kind, seconds: seconds ?? secondsDefault }
  if (kind === 'error') return { kind, status: status ?? statusDefault }
  return { kind }
}
