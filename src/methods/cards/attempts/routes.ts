// The addresses of 3-D Secure: the issuer's reports, and returning browsers.
import { Type } from 'typebox'
import type { App } from '../../../http/index.ts'
import { isUuid } from '../../../kernel/random.ts'
import { deny } from '../../../kernel/result.ts'
import { asciiAddress } from '../../../kernel/values/web-address.ts'
import { addDetails, findAttemptByThreeDsId } from '../../../operations/for-methods.ts'
import type { RReq } from '../../../rails/index.ts'
import { cards } from '../facts.ts'
import { type CardAttempt, type CardAttemptDetails, pageToVisit } from '../model.ts'
import { type AttemptsContext, receiveResults } from './authenticate.ts'

const resultsReport = Type.Object(
  {
    messageType: Type.Literal('RReq'),
    messageVersion: Type.String({ maxLength: 10 }),
    threeDSServerTransID: Type.String({ format: 'uuid' }),
    acsTransID: Type.String({ format: 'uuid' }),
    dsTransID: Type.String({ format: 'uuid' }),
    transStatus: Type.String({ maxLength: 1 }),
    eci: Type.Optional(Type.String({ maxLength: 2 })),
    authenticationValue: Type.Optional(Type.String({ maxLength: 100 })),
    challengeCancel: Type.Optional(Type.String({ maxLength: 2 })),
  },
  { additionalProperties: true },
)

export function threeDSecureRoutes(context: AttemptsContext): (app: App) => void {
  return (app) => {
    app.post(
      '/3ds/results/:threeDsId/:secret',
      {
        config: { auth: 'none', unlimited: true },
        schema: {
          hide: true,
          params: Type.Object({ threeDsId: Type.String(), secret: Type.String() }),
          body: resultsReport,
        },
      },
      async (request) => {
        const { threeDsId, secret } = request.params
        const answer = isUuid(threeDsId)
          ? await receiveResults(context, threeDsId, secret, request.body as unknown as RReq)
          : undefined
        return answer ?? deny('not_found', 'there is no such transaction')
      },
    )

    app.route({
      method: ['GET', 'POST'],
      url: '/3ds/return/:threeDsId',
      config: { auth: 'none', page: true },
      schema: { hide: true, params: Type.Object({ threeDsId: Type.String() }) },
      handler: async (request, reply) => {
        const { threeDsId } = request.params as { threeDsId: string }
        const attempt = isUuid(threeDsId)
          ? await findAttemptByThreeDsId<CardAttemptDetails>(context.core.database, cards.code, threeDsId)
          : undefined
        if (attempt === undefined) return deny('not_found', 'there is no such transaction')
        if (pageToVisit(attempt) !== undefined) await comeBack(context, attempt)
        await context.inFlight.waitBriefly(attempt.key)
        return reply.redirect(asciiAddress(await context.returnUrl(attempt)), 303)
      },
    })
  }
}

async function comeBack({ core, engine, inFlight }: AttemptsContext, attempt: CardAttempt): Promise<void> {
  const { page: visitedPage } = attempt.details
  await addDetails(core.database, attempt, { visitedPage })
  inFlight.begin(attempt.key, engine.advance(attempt))
}
