// Callback headers, compared with the Standard Webhooks reference.
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { instant } from '../../kernel/time.ts'
import { basicAuthorization, signatureHeaders } from './signature.ts'

it('signs like the reference implementation of Standard Webhooks', () => {
  const headers = signatureHeaders(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    instant(1_614_265_330_999),
    '{"test": 2432232314}',
    { signingSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] },
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

it('sends both signatures during a rotation', () => {
  const body = '{"nome":"São João"}'
  const secrets = ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX', 'plain old secret'] as const
  const { 'webhook-signature': signature } = signatureHeaders('event-1', instant(1_000), body, {
    signingSecrets: secrets,
  })
  const keys = [Buffer.from(Array.from({ length: 24 }, (_, byte) => byte)), Buffer.from(secrets[1], 'utf8')]
  const expected = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`event-1.1.${body}`, 'utf8').digest('base64')}`,
  )
  expect(signature).toBe(expected.join(' '))
  expect(expected[0]).not.toBe(expected[1])
})

it('authorizes with user and whole secret', () => {
  // printf 'cb_shop:whsec_c2VjcmV0' | base64
  expect(basicAuthorization('cb_shop', 'whsec_c2VjcmV0')).toBe('Basic Y2Jfc2hvcDp3aHNlY19jMlZqY21WMA==')
})
