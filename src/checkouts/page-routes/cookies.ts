// The cookies of a checkout's pages, and the proof in one of which browser accepted a subscription.
import type { AppReply, AppRequest } from '../../http/index.ts'
import type { Visit, VisitCookies } from '../../methods/method.ts'
import type { ManageLinks } from '../../subscriptions/index.ts'
import type { Checkout } from '../model.ts'
import { subjectOf } from '../subject-rules.ts'

/** Scripts cannot read them, and no page but those of the checkout is sent them. */
export function cookiesOf({ headers }: AppRequest, reply: AppReply, checkoutId: string): VisitCookies {
  const secure = reply.server.http.baseUrl.startsWith('https:') ? '; Secure' : ''
  return {
    get: (name) =>
      headers.cookie
        ?.split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    set(name, value, seconds) {
      const where = `Path=/checkout/${checkoutId}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      reply.header('set-cookie', `${name}=${value}; ${where}`)
    },
  }
}

const proofName = 'comporta_accepted'
/** Longer than any question to a customer is open. */
const proofSeconds = 86_400

/** Gives the browser that started the attempt about a subscription the proof of it: only this browser may see the link to cancel. */
export function giveProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks, attemptId = ''): void {
  if (checkout.subscription === undefined) return
  cookies.set(proofName, links.proofOf(checkout.id, attemptId), proofSeconds)
}

/** Whether this browser started the attempt with which the checkout's subscription was accepted: it alone is shown the link to manage it, once. */
export function hasProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks): boolean {
  if (checkout.subscription?.status !== 'APPROVED') return false
  const given = cookies.get(proofName)
  return given !== undefined && links.isProof(checkout.id, subjectOf(checkout).attemptId ?? '', given)
}

/** Takes the proof back, once the link was shown. */
export function takeProof({ cookies }: Visit<Checkout>): void {
  cookies.set(proofName, '', 0)
}
