// Pure decisions about payments by phone: when the network is asked next.
import { after, backoffMs, type Instant, minute, second } from '../kernel/time.ts'
import type { MobilePayment } from './model.ts'

/** Longer than the call itself may take. */
const firstInquirySeconds = 10
const inquirySeconds = 5
const inquiryMinutesMax = 5

/** In ever longer steps while the customer decides, at the end of their time, and then until the network knows. */
export function nextInquiry(
  { inquiries, expiresAt }: Pick<MobilePayment, 'inquiries' | 'expiresAt'>,
  now: Instant,
): Instant {
  const pauseAfter = (seconds: number) => backoffMs(seconds * second, inquiries, inquiryMinutesMax * minute)
  if (now >= expiresAt) return after(now, pauseAfter(inquirySeconds))
  const next = after(now, pauseAfter(firstInquirySeconds))
  return next < expiresAt ? next : expiresAt
}
