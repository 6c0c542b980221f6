// Trouble that whoever tests asks for: which rail, what is wrong with it, for whom, and for how long.
import { second } from '../../src/kernel/time.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

/** What can be in trouble; `callbacks` are the merchants' own servers, as the gateway sees them. */
export const troubledRails = [
  'acquirer',
  'issuer',
  'mobile_wallet',
  'online_wallet',
  'references',
  'bank',
  'callbacks',
] as const
export type TroubledRail = (typeof troubledRails)[number]

export const troubleKinds = ['slow', 'silent', 'down', 'error'] as const
export type TroubleKind = (typeof troubleKinds)[number]

/**
 * `slow`: acts at once, and answers `seconds` later. `silent`: acts, and never says so. `down`: refuses the connection,
 * so that nothing arrives. `error`: answers with `status`, and does nothing.
 */
export type Trouble =
  | { readonly kind: 'slow'; readonly seconds: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'down' }
  | { readonly kind: 'error'; readonly status: number }

export const secondsMax = 60
export const secondsDefault = 5
/** Of an answer that is no success and no redirection. */
export const statusMin = 400
export const statusMax = 599
export const statusDefault = 503
export const callsMax = 1000
export const minutesMax = 10_080

/** After that a silent connection is lost; the gateway does not wait for so long. */
export const silenceMs = 20 * second

export const settings = table('sandbox.chaos', {
  rail: column.text<TroubledRail>(),
  /** The merchant whose calls meet it; undefined: everybody's. */
  walletId: column.bigint().optional(),
  kind: column.text<TroubleKind>(),
  seconds: column.integer().optional(),
  status: column.integer().optional(),
  /** How many calls it still meets; undefined: all. */
  callsLeft: column.integer().optional(),
  endsAt: column.instant().optional(),
})

export type ChaosSetting = RowOf<typeof settings>

/** Settings of one rail, of one merchant or for everybody; all where nothing is said. */
export interface WhichSettings {
  readonly rail?: TroubledRail | undefined
  readonly walletId?: bigint | undefined
  readonly everybodys?: boolean | undefined
}

/** The trouble of a setting. */
export function troubleOf({ kind, seconds, status }: ChaosSetting): Trouble {
  if (kind === 'slow') return { kind, seconds: seconds ?? secondsDefault }
  if (kind === 'error') return { kind, status: status ?? statusDefault }
  return { kind }
}
