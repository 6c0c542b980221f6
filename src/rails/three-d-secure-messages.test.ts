// Messages are checked as strictly as EMVCo defines them.
import { describe, expect, it } from 'vitest'
import type { AReq, CReq } from './three-d-secure.ts'
import {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  readMessage,
} from './three-d-secure-messages.ts'

const id = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

const areq: AReq = {
  messageType: 'AReq',
  messageVersion: '2.2.0',
  threeDSServerTransID: id,
  threeDSCompInd: 'U',
  threeDSRequestorID: '1001',
  threeDSRequestorName: 'Loja Açores',
  threeDSRequestorURL: 'https://shop.example',
  threeDSServerURL: 'https://gateway.example/3ds/results/x',
  deviceChannel: '02',
  messageCategory: '01',
  acctNumber: '4176660000000027',
  merchantName: 'Loja Açores',
  notificationURL: 'https://gateway.example/3ds/return/x',
  purchaseAmount: '1000',
  purchaseCurrency: '978',
  purchaseExponent: '2',
  purchaseDate: '20261121100000',
  browserAcceptHeader: 'text/html',
  browserUserAgent: 'Mozilla/5.0',
  browserLanguage: 'pt-PT',
  browserJavascriptEnabled: false,
}

const creq: CReq = {
  messageType: 'CReq',
  messageVersion: '2.2.0',
  threeDSServerTransID: id,
  acsTransID: id,
  challengeWindowSize: '05',
}

describe('an AReq', () => {
  it('is accepted if complete, and keeps unknown elements', () => {
    expect(readMessage('AReq', { ...areq, messageExtension: [] })).toMatchObject({
      ok: true,
      message: { messageExtension: [] },
    })
  })

  it.each<[string, Record<string, unknown>, string, string]>([
    ['another message', { messageType: 'ARes' }, '101', 'messageType'],
    ['no notification address', { notificationURL: undefined }, '201', 'notificationURL'],
    ['a payment without its amount', { purchaseAmount: undefined }, '201', 'purchaseAmount'],
    [
      'JavaScript without its measures',
      { browserJavascriptEnabled: true, browserTZ: '0', browserColorDepth: '24' },
      '201',
      'browserJavaEnabled,browserScreenHeight,browserScreenWidth',
    ],
    ['an amount with a decimal point', { purchaseAmount: '10.00' }, '203', 'purchaseAmount'],
    ['a merchant name of 41 letters', { merchantName: 'x'.repeat(41) }, '203', 'merchantName'],
    ['a one-letter cardholder', { cardholderName: 'X' }, '203', 'cardholderName'],
    ['an expiry in month 13', { cardExpiryDate: '3013' }, '203', 'cardExpiryDate'],
    ['an address that is not http', { threeDSServerURL: 'javascript:alert(1)' }, '203', 'threeDSServerURL'],
    ['an id that is not a UUID', { threeDSServerTransID: 'x' }, '203', 'threeDSServerTransID'],
  ])('with %s is refused', (_, change, errorCode, errorDetail) => {
    expect(readMessage('AReq', { ...areq, ...change })).toEqual({ ok: false, errorCode, errorDetail })
  })

  it('needs no purchase if a card is only stored', () => {
    const { purchaseAmount, purchaseCurrency, purchaseExponent, purchaseDate, ...rest } = areq
    expect(readMessage('AReq', { ...rest, messageCategory: '02' }).ok).toBe(true)
  })
})

it('an ARes with a challenge needs acsURL', () => {
  const ares = {
    messageType: 'ARes',
    messageVersion: '2.2.0',
    threeDSServerTransID: id,
    dsTransID: id,
    acsTransID: id,
    transStatus: 'C',
  }
  expect(readMessage('ARes', ares)).toEqual({ ok: false, errorCode: '201', errorDetail: 'acsURL' })
})

describe('a message in a browser form', () => {
  it('is base64url without padding, and reads back', () => {
    const field = encodeMessage(creq)
    expect(field).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(decodeMessage('CReq', field)).toEqual({ ok: true, message: creq })
  })

  it('accepts padding', () => {
    const field = Buffer.from(JSON.stringify({ ...creq, x: 'xx' })).toString('base64url')
    const padded = field.padEnd(Math.ceil(field.length / 4) * 4, '=')
    expect(padded).not.toBe(field)
    expect(decodeMessage('CReq', padded).ok).toBe(true)
  })

  it.each(['', '{}', 'a+b/', 'bnVsbA', 'W10', 'not json', encodeMessage({ ...creq, acsTransID: 'x' })])(
    '%j is not a creq',
    (field) => expect(decodeMessage('CReq', field).ok).toBe(false),
  )

  it('encodes and decodes the method data', () => {
    const data = { threeDSServerTransID: id, threeDSMethodNotificationURL: 'https://gateway.example/done' }
    expect(decodeMethodData(encodeMethodData(data))).toEqual(data)
    expect(decodeMethodData(encodeMethodData({ threeDSServerTransID: id }))).toEqual({
      threeDSServerTransID: id,
    })
    const wrong = { threeDSServerTransID: id, threeDSMethodNotificationURL: 'javascript:alert(1)' }
    expect(decodeMethodData(encodeMethodData(wrong))).toBeUndefined()
    expect(decodeMethodData('e30')).toBeUndefined()
  })
})
