// JSON API of the issuer, with which tests answer challenges.
import { Type } from 'typebox'
import { type App, amountOnWire, dateOnWire } from '../../src/http/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { deny, unwrap } from '../../src/kernel/result.ts'
import { sandboxJson } from '../route-options.ts'
import type { Challenges } from './challenges.ts'
import type { IssuerContext } from './context.ts'
import { type Challenge, listedMax, maskedCard } from './model.ts'
import type { CardholderAnswer } from './rules.ts'
import { listOpenChallenges } from './store.ts'

const oneChallenge = {
  ...sandboxJson,
  schema: { hide: true, params: Type.Object({ id: Type.String() }) },
} as const

export function challengeApi(context: IssuerContext, challenges: Challenges): (app: App) => void {
  const { database, clock } = context
  return (app) => {
    app.get('/sandbox/api/challenges', sandboxJson, async () => {
      const open = await listOpenChallenges(database, clock.now(), listedMax)
      return { elements: open.map(challengeOnWire) }
    })

    app.get('/sandbox/api/challenges/:id', oneChallenge, async (request) => {
      const challenge = await challenges.find(request.params.id)
      return challengeOnWire(challenge ?? deny('not_found', 'there is no challenge with this id'))
    })

    app.post('/sandbox/api/challenges/:id/answer', oneChallenge, async (request) => {
      const answered = unwrap(await challenges.answer(request.params.id, readAnswer(request.body)))
      const state = answered.state === 'open' ? 'wrong_otp' : answered.state
      return { state, attempts_left: answered.attemptsLeft }
    })
  }
}

function readAnswer(body: unknown): CardholderAnswer {
  const { otp, cancel } = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (cancel === true) return { cancel: true }
  if (typeof otp === 'string') return { otp }
  if (otp === undefined) return deny('missing_parameter', 'otp (text) or cancel: true is required')
  return deny('invalid_parameter', 'otp must be text, such as "0101"')
}

function challengeOnWire(challenge: Challenge) {
  const { amount, currency } = challenge
  return {
    id: challenge.acsTransId,
    threeds_server_trans_id: challenge.threeDsServerTransId,
    acs_trans_id: challenge.acsTransId,
    state: challenge.state,
    merchant: challenge.merchantName,
    ...(amount === undefined ? {} : { amount: amountOnWire(cents(amount)), currency }),
    card: maskedCard(challenge),
    attempts_left: challenge.attemptsLeft,
    otp_hint: challenge.otp,
    date: dateOnWire(challenge.createdAt),
    expires: dateOnWire(challenge.expiresAt),
    reported: challenge.threeDsServerUrl === undefined,
  }
}
