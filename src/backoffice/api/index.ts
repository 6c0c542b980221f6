// All routes that only pages use.
import type { App } from '../../http/index.ts'
import { auditRoutes } from '../operator/audit.ts'
import { bankRoutes } from '../operator/bank.ts'
import { homeRoutes as operatorHomeRoutes } from '../operator/home.ts'
import { merchantRoutes } from '../operator/merchants.ts'
import { moneyRoutes } from '../operator/money.ts'
import { railRoutes } from '../operator/rails.ts'
import type { BackofficeParts } from '../parts.ts'
import { accountRoutes } from './account.ts'
import { developerRoutes } from './developers.ts'
import { developerKeyRoutes } from './developers-keys.ts'
import { homeRoutes } from './home.ts'
import { paymentRoutes } from './payments.ts'
import { recurringRoutes } from './recurring.ts'
import { sessionRoutes } from './session.ts'
import { settingsRoutes } from './settings.ts'
import { teamRoutes } from './team.ts'

export function apiRoutes(parts: BackofficeParts): readonly ((app: App) => void)[] {
  return [
    sessionRoutes(parts),
    accountRoutes(parts),
    homeRoutes(parts),
    paymentRoutes(parts),
    recurringRoutes(parts),
    developerKeyRoutes(parts),
    developerRoutes(parts),
    settingsRoutes(parts),
    teamRoutes(parts),
    operatorHomeRoutes(parts),
    merchantRoutes(parts),
    railRoutes(parts),
    moneyRoutes(parts),
    bankRoutes(parts),
    auditRoutes(parts),
  ]
}
