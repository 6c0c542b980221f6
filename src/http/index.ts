// The door of the HTTP room.
export { amountOnWire, amountSchema, parseAmount } from './amounts.ts'
export { sendRefusal, sendRepeated, sendText } from './answers.ts'
export { createApp } from './app.ts'
export { serveAssets } from './assets.ts'
export { callerOf, limitPerMinute } from './caller.ts'
export { dateOnWire, parseInstant, parseLisbonDayRange } from './dates.ts'
export { drain } from './drain.ts'
export { errorTable } from './errors.ts'
export { idOf, textSchema } from './fields.ts'
export { canonicalJson, readJson } from './json.ts'
export { pageQuery, parsePage } from './pages.ts'
export { type RequestKey, readRequestKey } from './request-key.ts'
export type {
  App,
  AppReply,
  AppRequest,
  Authenticate,
  HttpConfig,
  HttpDeps,
  HttpLogger,
  RouteAuth,
} from './types.ts'
