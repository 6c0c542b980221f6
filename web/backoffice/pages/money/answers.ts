// Types of answers on the money pages.

export interface BalanceAnswer {
  readonly balance: number
  readonly pending_payouts: number
  readonly available: number
  readonly currency: string
  readonly date: string
}

export interface Period {
  readonly opening: number
  readonly payments: Readonly<Record<string, number>>
  readonly fees: number
  readonly refunds: number
  readonly payouts: number
  readonly shares: number
  readonly other: number
  readonly closing: number
  readonly entries: number
}

export interface StatementDay extends Period {
  readonly day: string
}

export interface StatementAnswer extends Period {
  readonly startdate: string
  readonly enddate: string
  readonly days: readonly StatementDay[]
}

export interface Entry {
  readonly date: string
  readonly kind: 'payment' | 'refund' | 'payout' | 'share' | 'bank_charge' | 'other'
  readonly method?: string
  readonly operation_id?: string
  readonly ext_invoiceid?: string
  readonly notes?: string
  readonly amount: number
  readonly fee: number
  readonly amount_net: number
}

export interface EntriesAnswer {
  readonly elements: readonly Entry[]
  readonly next?: string
}

export interface FeesAnswer {
  readonly elements: readonly {
    readonly month: string
    readonly method: string
    readonly payments: number
    readonly volume: number
    readonly fees: number
  }[]
}

export interface Payout {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly date: string
  readonly modified_date: string
  readonly channel: string
  readonly iban?: string
  /** The day on which the bank makes the transfer. */
  readonly execution_date?: string
  readonly notes?: string
  readonly parent?: string
  readonly error?: string
}

export interface PayoutPreview extends Payout {
  readonly after: BalanceAnswer
}

export interface PayoutsAnswer {
  readonly total: number
  readonly elements: readonly Payout[]
}

export type Frequency = 'none' | 'daily' | 'weekly' | 'monthly'

export interface ScheduleAnswer {
  readonly frequency: Frequency
  readonly day?: number
  readonly minimum: number
  readonly keep: number
  readonly next?: string
  readonly runs: readonly {
    readonly day: string
    readonly outcome: 'ordered' | 'skipped'
    readonly amount?: number
    readonly operation_id?: string
    readonly reason?: 'below_minimum' | 'no_iban' | 'no_bank' | 'suspended' | 'limit_reached'
    readonly date: string
  }[]
}
