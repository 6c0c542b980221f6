// The issuer's report (RReq) to the 3DS server.
import { setTimeout as pause } from 'node:timers/promises'
import { boundedFetch } from '../../src/http/bounded-fetch.ts'
import { type RReq, readMessage } from '../../src/rails/index.ts'
import type { IssuerContext } from './context.ts'
import { type Challenge, reports } from './model.ts'
import { recordReported } from './store.ts'
import { eciOf } from './three-d-secure.ts'

const reportTimeoutMs = 5000
/** Pauses before tries 2 to 4. They are short, because a browser waits. */
const retryPausesMs = [100, 300, 900]

export interface Reporter {
  report(challenge: Challenge): Promise<boolean>
}

/** If two windows end the same challenge, they share one report. */
export function createReporter(context: IssuerContext): Reporter {
  const underWay = new Map<string, Promise<boolean>>()
  return {
    report(challenge) {
      const { acsTransId, threeDsServerUrl } = challenge
      if (threeDsServerUrl === undefined) return Promise.resolve(true)
      const known = underWay.get(acsTransId)
      if (known !== undefined) return known
      const report = deliver(context, challenge, threeDsServerUrl).finally(() => underWay.delete(acsTransId))
      underWay.set(acsTransId, report)
      return report
    },
  }
}

async function deliver(context: IssuerContext, challenge: Challenge, url: string): Promise<boolean> {
  if (challenge.state === 'open') throw new Error('an open challenge has no result to report')
  const message = reportOf(challenge, challenge.state)
  for (let tries = 0; ; tries++) {
    if (await send(context, url, message)) {
      await recordReported(context.database, challenge, context.clock.now())
      return true
    }
    const pauseMs = retryPausesMs[tries]
    if (pauseMs === undefined) return false
    await pause(pauseMs)
  }
}

function reportOf(challenge: Challenge, state: keyof typeof reports): RReq {
  const { authenticationValue } = challenge
  return {
    messageType: 'RReq',
    messageVersion: challenge.messageVersion,
    threeDSServerTransID: challenge.threeDsServerTransId,
    dsTransID: challenge.dsTransId,
    acsTransID: challenge.acsTransId,
    messageCategory: challenge.messageCategory,
    ...reports[state],
    ...(authenticationValue === undefined ? {} : { authenticationValue, eci: eciOf(challenge.brand) }),
    authenticationType: '02',
    interactionCounter: String(challenge.interactions).padStart(2, '0'),
  }
}

/** Whether the server answered with the right RRes. The address contains a secret, so never log it. */
async function send({ logger }: IssuerContext, url: string, message: RReq): Promise<boolean> {
  const { threeDSServerTransID } = message
  try {
    const response = await boundedFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(reportTimeoutMs),
    })
    const answer = readMessage('RRes', await response.json())
    if (response.ok && answer.ok && answer.message.acsTransID === message.acsTransID) return true
    const status = response.status
    logger.warn({ threeDSServerTransID, status }, 'the 3DS server did not take the result of a challenge')
  } catch (error) {
    const why = error instanceof Error ? error.name : 'unknown'
    logger.warn({ threeDSServerTransID, why }, 'the 3DS server did not take the result of a challenge')
  }
  return false
}
