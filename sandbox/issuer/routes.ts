// Browser routes of the issuer.
import { html } from 'ghtml'
import { Type } from 'typebox'
import type { App, AppReply, AppRequest } from '../../src/http/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { decodeMessage, decodeMethodData, encodeMethodData } from '../../src/rails/index.ts'
import { sendPage, silentPage } from '../pages/layout.ts'
import { issuerPage } from '../route-options.ts'
import type { Challenges } from './challenges.ts'
import type { IssuerContext } from './context.ts'
import { type Language, languageOf } from './messages.ts'
import type { Challenge } from './model.ts'
import { type CodeProblem, codePage, returnPage, unknownPage, unreportedPage } from './pages.ts'
import { recordSessionData } from './store.ts'
import { challengePath, methodPath } from './three-d-secure.ts'

/** EMVCo allows this length for threeDSSessionData. */
const sessionDataLengthMax = 1024
const challengePage = {
  ...issuerPage,
  schema: { hide: true, params: Type.Object({ id: Type.String() }) },
} as const

export function issuerRoutes(context: IssuerContext, challenges: Challenges): (app: App) => void {
  async function show(reply: AppReply, challenge: Challenge, language: Language, problem?: CodeProblem) {
    if (challenge.state === 'open') {
      return sendPage(reply, codePage(challenge, language, problem), { framed: true })
    }
    if (!(await challenges.report(challenge))) {
      return sendPage(reply.code(503), unreportedPage(challenge, language), { framed: true })
    }
    return sendPage(reply, returnPage(challenge, challenge.state, language), {
      leadsAway: true,
      framed: true,
    })
  }

  function showUnknown(request: AppRequest, reply: AppReply, status: 400 | 404) {
    return sendPage(reply.code(status), unknownPage(languageFor(request)), { framed: true })
  }

  return (app) => {
    app.post(challengePath, issuerPage, async (request, reply) => {
      const form = formOf(request)
      const creq = decodeMessage('CReq', form.creq ?? '')
      if (!creq.ok) return showUnknown(request, reply, 400)
      const challenge = await challenges.find(creq.message.acsTransID)
      if (challenge?.threeDsServerTransId !== creq.message.threeDSServerTransID.toLowerCase()) {
        return showUnknown(request, reply, 404)
      }
      const session = form.threeDSSessionData
      if (session !== undefined && session.length > 0 && session.length <= sessionDataLengthMax) {
        await recordSessionData(context.database, challenge, session)
      }
      return reply.redirect(`${challengePath}/${challenge.acsTransId}`, 303)
    })

    app.get(`${challengePath}/:id`, challengePage, async (request, reply) => {
      const { problem } = request.query as { problem?: unknown }
      const challenge = await challenges.find(request.params.id)
      if (challenge === undefined) return showUnknown(request, reply, 404)
      const shown = problem === 'wrong' || problem === 'empty' ? problem : undefined
      return show(reply, challenge, languageFor(request), shown)
    })

    app.post(`${challengePath}/:id`, challengePage, async (request, reply) => {
      const { id } = request.params
      if (!isUuid(id)) return showUnknown(request, reply, 404)
      const { otp, cancel } = formOf(request)
      const path = `${challengePath}/${id}`
      if (cancel === undefined && (otp ?? '').trim() === '')
        return reply.redirect(`${path}?problem=empty`, 303)
      const answered = await challenges.answer(
        id,
        cancel === undefined ? { otp: otp ?? '' } : { cancel: true },
      )
      // After a wrong code the page shows the challenge again.
      const stillOpen = answered.ok && answered.value.state === 'open'
      return reply.redirect(stillOpen ? `${path}?problem=wrong` : path, 303)
    })

    app.post(methodPath, issuerPage, async (request, reply) => {
      const data = decodeMethodData(formOf(request).threeDSMethodData ?? '')
      if (data?.threeDSMethodNotificationURL === undefined) return showUnknown(request, reply, 400)
      const done = encodeMethodData({ threeDSServerTransID: data.threeDSServerTransID })
      const body = html`
        <form method="post" action="${data.threeDSMethodNotificationURL}" data-goes-on>
          <input type="hidden" name="threeDSMethodData" value="${done}">
          <button type="submit">Continue</button>
        </form>`
      return sendPage(reply, silentPage({ title: '3-D Secure method', body }), {
        leadsAway: true,
        framed: true,
      })
    })
  }
}

function languageFor(request: AppRequest): Language {
  return languageOf(request.headers['accept-language'])
}

function formOf(request: AppRequest): Readonly<Record<string, string | undefined>> {
  const { body } = request
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(Object.entries(body).filter(isText))
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}
