// When rails are asked, how long they may take, and how often they are asked again: one set of timings for all of them.
import { after, backoffMs, day, hour, type Instant, minute, second } from '../../kernel/time.ts'

/** How often the resolver looks for attempts that are due; notices of rails do not wait for it. */
export const pollMs = 1 * second
/** Attempts that one process works at the same time: calls to rails mostly wait. */
export const concurrency = 16
/** Longer than two calls to a rail may take, so that a lease runs out only under a process that died. */
export const leaseMs = 30 * second

/** Longer than the call that asks a rail may take: until then its own answer is waited for. */
const firstInquiryMs = 10 * second
const inquiryMs = 5 * second
const inquiryMsMax = 5 * minute

/** A customer needs at least that to decide on another page. */
const firstLookMs = 30 * second
/** Whoever decides is a person: rarely there sooner, and notices do not wait for it. */
const customerMs = 10 * second

/**
 * A rail that has not received a request by this inquiry is not sent it any more. Claiming the attempt for that inquiry
 * takes it over: whoever was held up before calling the rail finds that out, and does not call.
 */
export const inquiriesBeforeGivingUp = 4

/** About a day: a rail that has not received a charge by then, and cannot be reached, will not take it any more. */
export const chargeInquiriesMax = 300

/** When the rail is asked again whether what was given up has arrived after all, counted from giving it up. */
const askedAgainMs = [minute, 10 * minute, hour, day] as const
/** A rail that does not say whether it has a request that was given up is asked again soon. */
const unclearMs = minute

const reversalMs = 5 * second
const reversalMsMax = hour

/** When the resolver looks at a request that is sent at `now`. */
export function firstInquiry(now: Instant): Instant {
  return after(now, firstInquiryMs)
}

/** When the rail is asked after `tries` inquiries: after twice as long each time. */
export function nextInquiry(now: Instant, tries: number): Instant {
  return after(now, backoffMs(inquiryMs, tries, inquiryMsMax))
}

/** When the resolver looks at an attempt about which its customer begins to decide. */
export function firstLook(now: Instant): Instant {
  return after(now, firstLookMs)
}

/** When the rail is asked whether the customer has decided, after `tries` inquiries: after twice as long each time. */
export function nextInquiryOfCustomer(now: Instant, tries: number): Instant {
  return after(now, backoffMs(customerMs, tries, inquiryMsMax))
}

/**
 * When the rail is asked about a request that was given up, after it was asked `tries` times since; undefined when it
 * was asked often enough.
 */
export function nextLook(givenUpAt: Instant, now: Instant, tries: number): Instant | undefined {
  const pause = askedAgainMs[tries]
  if (pause === undefined) return undefined
  const due = after(givenUpAt, pause)
  return due > now ? due : after(now, second)
}

/** When a rail that did not say is asked again about a request that was given up. */
export function nextLookWhenUnclear(now: Instant): Instant {
  return after(now, unclearMs)
}

/** When a reversal that was not confirmed is asked for again: after twice as long each time. */
export function nextReversal(now: Instant, tries: number): Instant {
  return after(now, backoffMs(reversalMs, tries, reversalMsMax))
}
