// An issuer in memory, with challenges by card number.
import { randomBytes, randomUUID } from 'node:crypto'
import {
  type AReq,
  type ARes,
  decodeMessage,
  encodeMessage,
  type RReq,
  readMessage,
  type ThreeDSecure,
  ThreeDSecureError,
} from '../../../src/rails/index.ts'

export type ChallengeAnswer = 'right code' | 'wrong codes only' | 'cancel'

export const issuerCards = {
  challenged: ['4000000000001091', '5200000000001096'],
  rejected: '4000000000001109',
} as const

export interface MemoryIssuer {
  readonly threeDSecure: ThreeDSecure
  /** The cardholder's answer to a challenge; answers the next address, with its `cres`. */
  answerChallenge(
    creq: string,
    answer: ChallengeAnswer,
  ): Promise<{ readonly url: string; readonly cres: string }>
}

const triesMax = 3
const results = {
  'right code': { transStatus: 'Y' },
  'wrong codes only': { transStatus: 'N', transStatusReason: '01', interactionCounter: `0${triesMax}` },
  cancel: { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' },
} as const satisfies Record<ChallengeAnswer, Partial<RReq>>

/** `reach`: another address for reports. */
export function memoryIssuer(reach: (url: string) => string = (url) => url): MemoryIssuer {
  const challenges = new Map<string, { readonly areq: AReq; readonly ares: ARes }>()

  const proofOf = ({ acctNumber }: AReq) => ({
    eci: acctNumber.startsWith('5') ? '02' : '05',
    authenticationValue: randomBytes(20).toString('base64'),
  })

  async function report(message: RReq, url: string): Promise<void> {
    const { ok } = await fetch(reach(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(message),
    })
    if (!ok) throw new Error('the result of a challenge was not taken')
  }

  return {
    threeDSecure: {
      versions: async () => ({ version: '2.2.0' }),
      async authenticate(areq) {
        const read = readMessage('AReq', areq)
        if (!read.ok) throw refusalOf(areq, read.errorCode, read.errorDetail)
        const { messageVersion, threeDSServerTransID } = areq
        const answer = {
          messageType: 'ARes',
          ...{ messageVersion, threeDSServerTransID, dsTransID: randomUUID(), acsTransID: randomUUID() },
        } as const
        if (areq.acctNumber === issuerCards.rejected)
          return { ...answer, transStatus: 'R', transStatusReason: '11' }
        if (!issuerCards.challenged.some((number) => number === areq.acctNumber))
          return { ...answer, transStatus: 'Y', ...proofOf(areq) }
        const ares: ARes = { ...answer, transStatus: 'C', acsURL: 'https://acs.example/challenge' }
        challenges.set(ares.acsTransID, { areq, ares })
        return ares
      },
    },
    async answerChallenge(creq, answer) {
      const { areq, ares } = challengeOf(creq)
      const { messageVersion, threeDSServerTransID, dsTransID, acsTransID } = ares
      const ids = { messageVersion, threeDSServerTransID, acsTransID }
      const result = {
        interactionCounter: '01',
        ...results[answer],
        ...(answer === 'right code' ? proofOf(areq) : {}),
      }
      const { messageCategory } = areq
      await report(
        { messageType: 'RReq', ...ids, dsTransID, messageCategory, ...result },
        areq.threeDSServerURL,
      )
      const { transStatus } = result
      const cres = encodeMessage({ messageType: 'CRes', ...ids, transStatus, challengeCompletionInd: 'Y' })
      return { url: areq.notificationURL, cres }
    },
  }

  function challengeOf(field: string) {
    const read = decodeMessage('CReq', field)
    const challenge = read.ok ? challenges.get(read.message.acsTransID) : undefined
    if (challenge === undefined) throw new Error('there is no such challenge')
    return challenge
  }
}

function refusalOf(areq: AReq, errorCode: string, errorDetail: string): ThreeDSecureError {
  const { messageVersion, threeDSServerTransID } = areq
  return new ThreeDSecureError({
    messageType: 'Erro',
    ...{ messageVersion, threeDSServerTransID, errorCode, errorDetail },
    errorComponent: 'D',
    errorDescription: 'The message cannot be read',
    errorMessageType: 'AReq',
  })
}
