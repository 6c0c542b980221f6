// An order at the sandbox's online wallet, and customers of it who do not simply pay.
import type { Instant } from '../../src/kernel/time.ts'
import type { OnlineWalletDecline } from '../../src/rails/index.ts'
import type { Language } from '../issuer/words.ts'

/** The third party that the sandbox plays. */
export const walletName = 'Onda'

export type OrderState = 'open' | 'agreed' | 'paid' | 'declined'

export interface Order {
  readonly key: string
  readonly reference: string
  readonly merchantName: string
  readonly amount: bigint
  readonly currency: string
  readonly returnUrl: string
  readonly language: Language
  readonly state: OrderState
  readonly payer: string | undefined
  readonly decline: OnlineWalletDecline | undefined
  readonly transaction: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Whoever logs in pays, but these. */
export const testPayers = {
  /** Agrees, and has no money when it is taken. */
  empty: 'empty@onda.example',
  /** Agrees; the taking is never answered, and is told as paid when asked about. */
  silent: 'silent@onda.example',
} as const

/** What the login page suggests. */
export const usualPayer = 'ana@onda.example'
