// The entry point of the http module.

export { amountOnWire, literalOf, parseAmount, roundNoise } from '../kernel/money.ts'
export { dateOnWire } from '../kernel/time.ts'
export { refusalAnswer, sendText, warn } from './answers.ts'
export { createApp } from './app.ts'
export {
  aliases,
  coerceNumberToString,
  coerceStringToNumber,
  currencySchema,
  dropIfInvalid,
  filledSchema,
  flagOf,
  idOf,
  impliedWordSchema,
  momentSchema,
  oneOfSchema,
  parseImpliedWord,
  phoneSchema,
  readAs,
  referenceSchema,
  requestIdSchema,
  requiredPhoneSchema,
  textSchema,
  wordSchema,
} from './body/fields.ts'
export { canonicalJson, canonicalNumber, readJson } from './body/json.ts'
export type { ReadAs, Schema } from './body/schema.ts'
export { cardDataSchema, clampedTo, orEmptyList, refuseCardNumbers } from './body/unexpected-fields.ts'
export { type CsvSeparator, csvLines, csvNumber, csvQuery, readSeparator } from './csv.ts'
export { drain } from './drain.ts'
export { errorTable } from './errors/errors.ts'
export { callerOf, isBlockedWhenSuspended, refusalByNow } from './guard.ts'
export { type BuiltFile, builtFiles, sendNotBuilt, serveAssets } from './pages/assets.ts'
export { openEventStream } from './pages/event-streams.ts'
export { isFromOtherSite, refuseOtherHosts, refuseOtherSites, urlOf } from './pages/other-sites.ts'
export {
  createStaticFile,
  createStaticFiles,
  immutableCache,
  type StaticFile,
} from './pages/static-file.ts'
export { pageQuery, parsePage } from './pagination.ts'
export { addressSubject, limitPerMinute } from './rate-limits.ts'
export {
  amountField,
  answers,
  currencyField,
  dayField,
  described,
  documented,
  exampleId,
  exampleMoment,
  idField,
  idParameter,
  listOf,
  momentField,
  pathId,
  used,
  wordField,
} from './reference/fields.ts'
export { serveSite } from './reference/site.ts'
export { type DescribedWebhook, describeWebhooks } from './reference/webhooks.ts'
export type {
  App,
  AppReply,
  AppRequest,
  Change,
  HttpConfig,
  HttpDeps,
  PeopleGuard,
  RenderRefusal,
  RouteAuth,
} from './types.ts'
export {
  amountSchema,
  dayRangeQuery,
  parseEnd,
  parseExactInstant,
  parseInstant,
  parseLisbonDayRange,
  requestAmount,
} from './wire.ts'
