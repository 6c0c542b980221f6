// All routes of the operator's pages.
import type { App } from '../../http/index.ts'
import type { BackofficeParts } from '../parts.ts'
import { auditRoutes } from './audit.ts'
import { bankRoutes } from './bank.ts'
import { homeRoutes } from './home.ts'
import { merchantRoutes } from './merchants.ts'
import { moneyRoutes } from './money.ts'
import { railRoutes } from './rails.ts'

export function operatorRoutes(parts: BackofficeParts): (app: App) => void {
  return (app) => {
    const areas = [homeRoutes, merchantRoutes, railRoutes, moneyRoutes, bankRoutes, auditRoutes]
    for (const routes of areas) routes(parts)(app)
  }
}
