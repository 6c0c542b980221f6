// The limiter's arithmetic on a test clock.
import { expect, it } from 'vitest'
import { addressSubject, createLimiter, limitHeaders, limits } from './rate-limits.ts'

function limiterOf(burst: number, perSecond: number) {
  const clock = { ms: 0 }
  return { clock, limiter: createLimiter({ name: 'x', burst, perSecond }, () => clock.ms) }
}

it('lets a burst pass at once, then one request per interval', () => {
  const { clock, limiter } = limiterOf(200, 100)
  const take = () => limiter.take('key').allowed
  expect(Array.from({ length: 250 }, take).filter(Boolean)).toHaveLength(200)
  clock.ms += 10
  expect([take(), take()]).toEqual([true, false])
  clock.ms += 2_000
  expect(Array.from({ length: 250 }, take).filter(Boolean)).toHaveLength(200)
})

it('counts each subject separately, and a peek costs nothing', () => {
  const { limiter } = limiterOf(1, 1)
  expect(limiter.peek('a').allowed).toBe(true)
  expect(limiter.take('a').allowed).toBe(true)
  expect(limiter.peek('a').allowed).toBe(false)
  expect(limiter.take('b').allowed).toBe(true)
})

it('shows the remaining requests and the time to wait', () => {
  const { clock, limiter } = limiterOf(30, 0.5)
  for (let request = 0; request < 29; request++) limiter.take('checkout')
  expect(limiter.take('checkout')).toEqual({ allowed: true, remaining: 0, resetSeconds: 60, retrySeconds: 0 })
  const refused = limiter.take('checkout')
  expect(refused).toEqual({ allowed: false, remaining: 0, resetSeconds: 60, retrySeconds: 2 })
  expect(limitHeaders(limiter.limit, refused)).toEqual({
    'ratelimit-policy': '"x";q=30;w=60',
    ratelimit: '"x";r=0;t=60',
    'retry-after': '2',
  })
  clock.ms += 1_999
  expect(limiter.take('checkout').allowed).toBe(false)
  clock.ms += 1
  expect(limiter.take('checkout').allowed).toBe(true)
})

it('keeps memory bounded for many subjects', () => {
  const { clock, limiter } = limiterOf(1, 0.001)
  for (let address = 0; address < 250_000; address++) limiter.take(`address ${address}`)
  expect(limiter.take('address 249999').allowed).toBe(false)
  expect(limiter.take('address 0').allowed).toBe(true)
  clock.ms += 1
  expect(limiter.take('address 0').allowed).toBe(false)
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
])('counts %s as %s', (ip, subject) => {
  expect(addressSubject(ip)).toBe(subject)
})

it('has the limits of CONTRACT section 17', () => {
  expect(limits.key).toMatchObject({ burst: 200, perSecond: 100 })
  expect(limits.address).toMatchObject({ burst: 60, perSecond: 20 })
})
