// Which browser accepted a subscription: it alone is shown the link to manage it, once (decision 0046).
import type { AppReply, AppRequest } from '../../http/index.ts'
import type { ManageLinks } from '../../subscriptions/index.ts'
import type { Checkout } from '../model.ts'
import { subjectOf } from '../subject-rules.ts'

const cookieName = 'comporta_accepted'
/** Longer than any question to a customer is open. */
const keptSeconds = 86_400

/** Gives the browser that started the attempt about a subscription the proof of it; `checkout` as it is since. */
export function giveProof(
  reply: AppReply,
  links: ManageLinks,
  checkout: Checkout,
  attemptId = subjectOf(checkout).attemptId,
): void {
  if (checkout.subscription === undefined) return
  setCookie(reply, checkout, links.proofOf(checkout.id, attemptId ?? ''), keptSeconds)
}

/** Whether this browser started the attempt with which the checkout's subscription was accepted. */
export function hasProof({ headers }: AppRequest, links: ManageLinks, checkout: Checkout): boolean {
  if (headers.cookie === undefined || checkout.subscription?.status !== 'APPROVED') return false
  const given = headers.cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
  return given !== undefined && links.isProof(checkout.id, subjectOf(checkout).attemptId ?? '', given)
}

/** Takes the proof back, once the link was shown. */
export function takeProof(reply: AppReply, checkout: Checkout): void {
  setCookie(reply, checkout, '', 0)
}

/** Scripts cannot read it, and no page but the checkout's own is sent it. */
function setCookie(reply: AppReply, { id }: Checkout, value: string, seconds: number): void {
  const secure = reply.server.http.baseUrl.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${cookieName}=${value}; Path=/checkout/${id}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
