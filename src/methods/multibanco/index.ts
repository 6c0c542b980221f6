// MB: references that people pay at ATMs and in home banking.
import type { ReferenceOffers } from '../../bank-references/index.ts'
import type { Clock } from '../../kernel/time.ts'
import { approvedAtOnce } from '../../operations/index.ts'
import type { PaymentMethod } from '../method.ts'
import { multibanco } from './facts.ts'
import { referencePage } from './page.ts'

export function createMultibanco(offers: ReferenceOffers, clock: Clock): PaymentMethod {
  return {
    code: multibanco.code,
    page: referencePage(offers, clock),
    // The network tells of a payment once the money is there.
    rail: { inquire: approvedAtOnce },
  }
}
