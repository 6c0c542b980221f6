// The conformance suite of 3-D Secure issuers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AReq,
  type ARes,
  decodeMessage,
  encodeMessage,
  readMessage,
  type ThreeDSecure,
} from '../../src/rails/index.ts'
import { startThreeDSServer, type ThreeDSServer } from './three-ds-server.ts'

export type Decision = 'right code' | 'wrong codes only' | 'cancel'

/** Posted by a browser that returns from the issuer. */
export interface BrowserReturn {
  readonly url: string
  readonly cres: string
  readonly threeDSSessionData?: string | undefined
}

export interface IssuerUnderTest {
  readonly threeDSecure: ThreeDSecure
  readonly cards: {
    /** Authenticated at once, with the ECI of their scheme. */
    readonly frictionless: readonly (readonly [number: string, eci: string])[]
    readonly challenged: readonly (readonly [number: string, eci: string])[]
    readonly rejected: string
  }
  /** Visits the issuer as a browser, answers as the cardholder, and returns. */
  goThrough(
    ares: ARes,
    fields: { readonly creq: string; readonly threeDSSessionData: string },
    decision: Decision,
  ): Promise<BrowserReturn>
  close(): Promise<void>
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const valuePattern = /^[A-Za-z0-9+/]{27}=$/

/** An AReq for a payment in a browser. */
export function paymentQuestion(server: ThreeDSServer, acctNumber: string, change: Partial<AReq> = {}): AReq {
  const threeDSServerTransID = randomUUID()
  return {
    messageType: 'AReq',
    messageVersion: '2.2.0',
    threeDSServerTransID,
    threeDSCompInd: 'U',
    threeDSRequestorID: '1001',
    threeDSRequestorName: 'Demo Shop',
    threeDSRequestorURL: 'https://shop.example',
    threeDSServerURL: server.resultsUrl(threeDSServerTransID),
    deviceChannel: '02',
    messageCategory: '01',
    acctNumber,
    cardExpiryDate: '3512',
    cardholderName: 'Ana Sousa',
    merchantName: 'Demo Shop',
    notificationURL: `https://gateway.example/3ds/return/${threeDSServerTransID}`,
    purchaseAmount: '123456',
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: '20261121100000',
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Mozilla/5.0',
    browserLanguage: 'pt-PT',
    browserJavascriptEnabled: false,
    ...change,
  }
}

export function creqFor(ares: ARes): string {
  return encodeMessage({
    messageType: 'CReq',
    messageVersion: ares.messageVersion,
    threeDSServerTransID: ares.threeDSServerTransID,
    acsTransID: ares.acsTransID,
    challengeWindowSize: '05',
  })
}

export function describeThreeDSecure(name: string, make: () => Promise<IssuerUnderTest>): void {
  describe(`${name} behind the 3-D Secure port`, () => {
    let tested: IssuerUnderTest
    let server: ThreeDSServer
    beforeAll(async () => {
      server = await startThreeDSServer()
      tested = await make()
    })
    beforeEach(() => {
      server.forget()
    })
    afterAll(async () => {
      await tested.close()
      await server.close()
    })

    const ask = async (number: string, change: Partial<AReq> = {}) => {
      const areq = paymentQuestion(server, number, change)
      const ares = await tested.threeDSecure.authenticate(areq)
      expect(readMessage('ARes', ares)).toMatchObject({ ok: true })
      const { threeDSServerTransID, messageVersion } = areq
      expect(ares).toMatchObject({ threeDSServerTransID, messageVersion })
      expect(ares.dsTransID).toMatch(uuidPattern)
      expect(ares.acsTransID).toMatch(uuidPattern)
      return { areq, ares }
    }
    const goThrough = (ares: ARes, decision: Decision) =>
      tested.goThrough(ares, { creq: creqFor(ares), threeDSSessionData: 'bm90ZQ' }, decision)

    it('uses a current version, and an absolute method page or none', async () => {
      for (const [number] of [...tested.cards.frictionless, ...tested.cards.challenged]) {
        const range = await tested.threeDSecure.versions(number)
        expect(['2.2.0', '2.3.1']).toContain(range?.version)
        if (range?.methodUrl !== undefined) expect(range.methodUrl).toMatch(/^https?:\/\//)
      }
    })

    it('authenticates a frictionless card with a proof', async () => {
      for (const [number, eci] of tested.cards.frictionless) {
        const { ares } = await ask(number)
        expect(ares).toMatchObject({ transStatus: 'Y', eci })
        expect(ares.authenticationValue).toMatch(valuePattern)
        expect(ares.acsURL).toBeUndefined()
      }
      expect(server.reports).toEqual([])
    })

    it('gives every transaction its own ids and proof', async () => {
      const [number] = tested.cards.frictionless[0] ?? ['']
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(number)))
      const values = answers.flatMap(({ ares }) => [
        ares.dsTransID,
        ares.acsTransID,
        ares.authenticationValue,
      ])
      expect(new Set(values).size).toBe(60)
    })

    it('rejects a card without a proof', async () => {
      const { ares } = await ask(tested.cards.rejected)
      expect(ares).toMatchObject({ transStatus: 'R' })
      expect(ares.transStatusReason).toMatch(/^\d\d$/)
      expect(ares.authenticationValue).toBeUndefined()
    })

    it('refuses an incomplete question', async () => {
      const [number] = tested.cards.frictionless[0] ?? ['']
      const { purchaseAmount, ...areq } = paymentQuestion(server, number)
      await expect(tested.threeDSecure.authenticate(areq)).rejects.toMatchObject({
        name: 'ThreeDSecureError',
        erro: { messageType: 'Erro', errorCode: '201', errorDetail: 'purchaseAmount' },
      })
    })

    it('reports a right code before the browser returns, with a proof', async () => {
      for (const [number, eci] of tested.cards.challenged) {
        server.forget()
        const { areq, ares } = await ask(number)
        expect(ares).toMatchObject({ transStatus: 'C' })
        expect(ares.authenticationValue).toBeUndefined()
        const back = await goThrough(ares, 'right code')
        const [report, ...others] = server.reports
        expect(others).toEqual([])
        expect(report).toMatchObject({
          threeDSServerTransID: areq.threeDSServerTransID,
          acsTransID: ares.acsTransID,
          dsTransID: ares.dsTransID,
          messageVersion: areq.messageVersion,
          messageCategory: '01',
          transStatus: 'Y',
          eci,
        })
        expect(report?.authenticationValue).toMatch(valuePattern)
        expect(report?.challengeCancel).toBeUndefined()
        expectReturn(areq, ares, back, 'Y')
      }
    })

    it.each<[Decision, Record<string, unknown>]>([
      ['wrong codes only', { interactionCounter: '03' }],
      ['cancel', { challengeCancel: '01' }],
    ])('reports N, without a proof, for: %s', async (decision, details) => {
      const [number] = tested.cards.challenged[0] ?? ['']
      const { areq, ares } = await ask(number)
      const back = await goThrough(ares, decision)
      expect(server.reports).toHaveLength(1)
      expect(server.reports[0]).toMatchObject({ transStatus: 'N', ...details })
      expect(server.reports[0]?.authenticationValue).toBeUndefined()
      expectReturn(areq, ares, back, 'N')
    })

    it('challenges also for a card that is only stored', async () => {
      const [number] = tested.cards.challenged[0] ?? ['']
      const { areq, ares } = await ask(number, { messageCategory: '02', purchaseAmount: '0' })
      const back = await goThrough(ares, 'right code')
      expect(server.reports[0]).toMatchObject({ transStatus: 'Y', messageCategory: '02' })
      expectReturn(areq, ares, back, 'Y')
    })
  })
}

function expectReturn(areq: AReq, ares: ARes, back: BrowserReturn, transStatus: string): void {
  expect(back.url).toBe(areq.notificationURL)
  expect(back.threeDSSessionData).toBe('bm90ZQ')
  expect(decodeMessage('CRes', back.cres)).toMatchObject({
    ok: true,
    message: {
      threeDSServerTransID: areq.threeDSServerTransID,
      acsTransID: ares.acsTransID,
      messageVersion: areq.messageVersion,
      challengeCompletionInd: 'Y',
      transStatus,
    },
  })
}
