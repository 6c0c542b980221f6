// Cookies of a checkout's pages, and the proof of an accepted subscription.
import type { AppReply, AppRequest } from '../../http/index.ts'
import type { Visit, VisitCookies } from '../../methods/method.ts'
import type { ManageLinks } from '../../subscriptions/index.ts'
import type { Checkout } from '../model.ts'
import { subjectOf } from '../subject-rules.ts'

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
/** Longer than any attempt. */
const proofSeconds = 86_400

/** Only the accepting browser may manage the subscription. */
export function giveProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks, attemptId = ''): void {
  if (checkout.subscription === undefined) return
  cookies.set(proofName, links.proofOf(checkout.id, attemptId), proofSeconds)
}

/** Only this browser sees the link to manage it, once. */
export function hasProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks): boolean {
  if (checkout.subscription?.status !== 'APPROVED') return false
  const given = cookies.get(proofName)
  return given !== undefined && links.isProof(checkout.id, subjectOf(checkout).attemptId ?? '', given)
}

export function takeProof({ cookies }: Visit<Checkout>): void {
  cookies.set(proofName, '', 0)
}
