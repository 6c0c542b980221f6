// The entry point of the http module.
export { amountOnWire, amountSchema, parseAmount } from './amounts.ts'
export { refusalAnswer, sendRefusal, sendText } from './answers.ts'
export { createApp } from './app.ts'
export { serveAssets } from './assets.ts'
export { callerOf, limitPerMinute } from './caller.ts'
export { dateOnWire, dayRangeQuery, parseExactInstant, parseInstant, parseLisbonDayRange } from './dates.ts'
export { drain } from './drain.ts'
export { errorTable } from './errors.ts'
export { openEventStream } from './event-streams.ts'
export {
  filledSchema,
  flagSchema,
  idOf,
  impliedWordSchema,
  momentSchema,
  parseImpliedWord,
  phoneSchema,
  referenceSchema,
  requiredPhoneSchema,
  textSchema,
  wordSchema,
} from './fields.ts'
export { readJson } from './json.ts'
export { absentWhenEmpty, elseAt, numberAsText, textAsNumber } from './lenient.ts'
export { cardDataSchema, refuseCardNumbers } from './misplaced-card.ts'
export { isFromOtherSite, refuseOtherHosts, refuseOtherSites } from './other-sites.ts'
export { pageQuery, parsePage } from './pages.ts'
export { addressSubject } from './rate-limits.ts'
export { type ReadAs, readAs } from './read-as.ts'
export { createStaticFile, keptForEver } from './static-file.ts'
export type {
  App,
  AppReply,
  AppRequest,
  HttpConfig,
  HttpDeps,
  RenderRefusal,
} from './types.ts'
