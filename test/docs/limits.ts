// The limits that merchants' programs meet, for the table of docs/errors.md: each from the constant that holds it.
import { attemptTimeoutMsDefault } from '../../src/callbacks/sending/attempts-in-flight.ts'
import { attemptDelaysMs } from '../../src/callbacks/sending/schedule.ts'
import { readsPerMinuteMax } from '../../src/checkouts/routes.ts'
import { requestMs } from '../../src/http/answers.ts'
import { bodyBytesMax } from '../../src/http/body/json.ts'
import { type Limit, limits as rates } from '../../src/http/rate-limits.ts'
import { keptDays } from '../../src/idempotency/store.ts'
import { hour } from '../../src/kernel/time.ts'
import { authenticationMinutesMax } from '../../src/methods/cards/attempts/authenticate.ts'
import { approvalWindowMinutes } from '../../src/methods/mbway/mandates/rules.ts'
import { capturesPerAuthorizationMax } from '../../src/operations/rules.ts'
import { lifetimeMinutes } from '../../src/secure-fields/model.ts'
import { descriptorsMax } from '../../src/splits/model.ts'

const second = 1000
const kibibyte = 1024
const total = attemptDelaysMs.reduce((sum, delay) => sum + delay, 0)
const rate = ({ perSecond, burst }: Limit) => `${perSecond} a second, ${burst} at once`

/** Rows of name and value. */
export const limits: readonly (readonly [string, string])[] = [
  ['Requests of one API key', rate(rates.key)],
  ['Requests of one address without a valid key', rate(rates.address)],
  ['Reads of one checkout', `${readsPerMinuteMax} a minute`],
  ['Body of a request', `${bodyBytesMax / kibibyte} KiB`],
  ['Time for a request, and for its answer', `${requestMs / second} seconds`],
  ['Answers kept for a `request_id`', `${keptDays} days`],
  ['Captures of one authorization', String(capturesPerAuthorizationMax)],
  ['Sellers in one split', String(descriptorsMax)],
  ['Approval on the phone (MB WAY)', `${approvalWindowMinutes} minutes`],
  ['3-D Secure', `${authenticationMinutesMax} minutes`],
  ['Card of the secure form fields, once encrypted', `${lifetimeMinutes} minutes`],
  ['Answer of your server to a callback', `${attemptTimeoutMsDefault / second} seconds`],
  ['Attempts to deliver a callback', `${attemptDelaysMs.length} in ${Math.round(total / hour)} hours`],
]
