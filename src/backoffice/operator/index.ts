// Every route of the operator's pages, by area.
import type { App } from '../../http/index.ts'
import type { BackofficeParts } from '../parts.ts'
import { auditRoutes } from './audit.ts'
import { merchantRoutes } from './merchants.ts'

export function operatorRoutes(parts: BackofficeParts): (app: App) => void {
  return (app) => {
    for (const routes of [merchantRoutes, auditRoutes]) routes(parts)(app)
  }
}
