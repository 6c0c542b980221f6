// Size limits of read answers, compressed or not.
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { startHttpProvider } from '../../test/providers/http-provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

const mebibyte = 1024 * 1024

async function answering(body: Buffer | undefined, headers = {}) {
  const provider = await startHttpProvider(async () => ({ status: 200, headers, body: body as never }))
  onTestFinished(provider.close)
  provider.setEndless(body === undefined)
  return () => boundedFetch(provider.url)
}

it.each([
  ['one byte too many', Buffer.alloc(mebibyte + 1), {}],
  ['packed', gzipSync(Buffer.alloc(64 * mebibyte)), { 'content-encoding': 'gzip' }],
  ['without an end', undefined, {}],
])('%s is an error', async (_, body, headers) => {
  await expect((await answering(body, headers))()).rejects.toMatchObject({ code: 'ANSWER_TOO_LONG' })
})

it('an answer within the limit is unchanged', async () => {
  const ask = await answering(Buffer.alloc(mebibyte, 'a'), { 'x-request': '7' })
  const answer = await ask()
  expect([answer.status, answer.headers.get('x-request'), (await answer.text()).length]).toEqual([
    ...[200, '7', mebibyte],
  ])
  expect((await (await answering(Buffer.alloc(0)))()).body).not.toBeUndefined()
})
