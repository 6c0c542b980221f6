// People who are signed in to the backoffice, with their cookie and page token.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Json, World } from './world.ts'

export interface DemoUser {
  readonly email: string
  readonly password: string
  readonly role: string
  readonly wallet_id?: number
}

export interface SignedIn extends DemoUser {
  readonly cookie: string
  readonly session: Json
  get(path: string): Promise<Answer>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

function demoUsers({ dataDir }: Pick<World, 'dataDir'>): DemoUser[] {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).users
}

export function demoUser(world: Pick<World, 'dataDir'>, email: string): DemoUser {
  const user = demoUsers(world).find((one) => one.email === email)
  if (user === undefined) throw new Error(`there is no ${email} in demo.json`)
  return user
}

const stepMs = 30_000
/** The gateway accepts a code only until the next half minute begins. A slow machine needs this time to send it. */
const leftMsMin = 15_000

/** Code of an authenticator app (RFC 6238), `steps` half minutes from now. @param secret in base32 */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const leftMs = stepMs - (Date.now() % stepMs)
  if (steps < 0 && leftMs < leftMsMin) await pause(leftMs)
  const bits = [...secret].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((one) => Number.parseInt(one, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export async function signIn(
  world: Pick<World, 'baseUrl' | 'dataDir' | 'request'>,
  who: string | Pick<DemoUser, 'email' | 'password'>,
): Promise<SignedIn> {
  const user = typeof who === 'string' ? demoUser(world, who) : { role: '', ...who }
  const answer = await world.request('/backoffice/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({ email: user.email, password: user.password }),
  })
  if (answer.status !== 200) throw new Error(`${user.email} cannot sign in: ${answer.text}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return withCookie(world, user, cookie)
}

export async function withCookie(
  world: Pick<World, 'baseUrl' | 'request'>,
  user: DemoUser,
  cookie: string,
): Promise<SignedIn> {
  const { body: session } = await world.request('/backoffice/api/session', { headers: { cookie } })
  return {
    ...user,
    cookie,
    session,
    get: (path) => world.request(`/backoffice/api${path}`, { headers: { cookie } }),
    send: (method, path, body, headers) =>
      world.request(`/backoffice/api${path}`, {
        method,
        headers: {
          cookie,
          origin: new URL(world.baseUrl).origin,
          'x-csrf-token': session.csrf_token,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}
