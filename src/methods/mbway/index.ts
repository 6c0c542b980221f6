// MBWAY: payments that people approve on their phone.

import { type MobilePayments, phoneHandler } from '../../mobile-payments/index.ts'
import type { MobileWallet } from '../../rails/index.ts'
import type { PaymentMethod } from '../method.ts'
import { createPhoneRail } from './charging.ts'
import { mbway } from './facts.ts'
import { mbwayPage } from './page.ts'
import { type MbwaySubscribingDeps, mbwaySubscribing } from './subscribing.ts'

export interface MbwayDeps extends MbwaySubscribingDeps {
  readonly payments: MobilePayments
  readonly rail: MobileWallet
}

export function createMbway(deps: MbwayDeps): PaymentMethod {
  const { database, payments, clock, rail } = deps
  return {
    code: mbway.code,
    page: mbwayPage(payments, clock),
    subscribing: mbwaySubscribing(deps),
    rail: phoneHandler(rail),
    charging: createPhoneRail({ database, clock, mobileWallet: rail }),
    attempts: payments.engine,
  }
}
