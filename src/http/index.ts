// The entry point of the http module.

export { createApp } from './app.ts'
export { amountOnWire, amountSchema, parseAmount } from './body/amounts.ts'
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
} from './body/fields.ts'
export { readJson } from './body/json.ts'
export { absentWhenEmpty, elseAt, numberAsText, textAsNumber } from './body/lenient.ts'
export { cardDataSchema, refuseCardNumbers } from './body/misplaced-card.ts'
export { type ReadAs, readAs } from './body/read-as.ts'
export { callerOf, limitPerMinute } from './caller.ts'
export { dateOnWire, dayRangeQuery, parseExactInstant, parseInstant, parseLisbonDayRange } from './dates.ts'
export { drain } from './drain.ts'
export { refusalAnswer, sendRefusal, sendText } from './errors/answers.ts'
export { errorTable } from './errors/errors.ts'
export { serveAssets } from './pages/assets.ts'
export { openEventStream } from './pages/event-streams.ts'
export { isFromOtherSite, refuseOtherHosts, refuseOtherSites } from './pages/other-sites.ts'
export { pageQuery, parsePage } from './pages/pages.ts'
export { createStaticFile, keptForEver } from './pages/static-file.ts'
export { addressSubject } from './rate-limits.ts'
export type {
  App,
  AppReply,
  AppRequest,
  HttpConfig,
  HttpDeps,
  RenderRefusal,
} from './types.ts'
