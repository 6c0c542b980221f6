// All routes that only pages use.
import type { App } from '../../http/index.ts'
import { operatorRoutes } from '../operator/index.ts'
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
    operatorRoutes(parts),
  ]
}
