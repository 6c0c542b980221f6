// Fault settings: rail, kind, merchant and duration.
import { second } from '../../src/kernel/time.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

/** Parts that can fail. `callbacks` are the merchants' servers. */
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
 * `slow`: acts and answers after `seconds`. `silent`: acts and never answers. `down`: refuses the connection.
 * `error`: answers with `status` and does nothing.
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

/** After this time a silent connection is lost. The gateway gives up earlier. */
export const silenceMs = 20 * second

export const settings = table('sandbox.chaos', {
  rail: column.text<FaultyRail>(),
  /** Merchant that the setting affects. Undefined: all merchants. */
  walletId: column.bigint().optional(),
  kind: column.text<FaultKind>(),
  seconds: column.integer().optional(),
  status: column.integer().optional(),
  /** Remaining calls. Undefined: no limit. */
  callsLeft: column.integer().optional(),
  endsAt: column.instant().optional(),
})

export type ChaosSetting = RowOf<typeof settings>

/** Filter of settings. Without fields: all. */
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
