// How the client reads SPG's answers, and answers of other servers.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  startHttpProvider,
} from '../../test/providers/http-provider.ts'
import { createClient } from './client.ts'

let provider: HttpProvider
let answer: ProviderAnswer

beforeAll(async () => {
  provider = await startHttpProvider(async () => answer)
})
afterAll(() => provider.close())

function ask(status: number, body: string) {
  answer = { status, body }
  const settings = {
    ...{ baseUrl: provider.url, formUrl: provider.url, terminalId: 58_019, referenceEntity: undefined },
    ...{ channel: 'web', ackCode: '000', clientId: 'client', token: 'token', webhookKeys: [] },
  }
  return createClient(settings, { fetch, clock: systemClock }).get('/payments/1/status')
}
const coded = (statusCode: string) => JSON.stringify({ returnStatus: { statusCode } })

it('reports an unknown transaction on SIBS’s code', async () => {
  expect(await ask(404, coded('E0506'))).toEqual({ kind: 'unknown' })
  expect(await ask(400, coded('E0507'))).toEqual({ kind: 'unknown' })
})

it.each([
  [404, '<html>404 page not found</html>'],
  [404, JSON.stringify({ httpCode: '404', httpMessage: 'Not Found' })],
  [404, ''],
  [200, '<html>maintenance</html>'],
  [400, 'Bad Request'],
  [401, coded('E0101')],
  [502, ''],
])('ignores the answers of a proxy: %i %s', async (status, body) => {
  await expect(ask(status, body)).rejects.toThrow(`SIBS answered ${status}`)
})
