// Secrets of backoffice users.
import { expect } from 'vitest'
import { type Needle, needle } from '../needles.ts'
import { codeOf, type SignedIn, signIn } from '../people.ts'
import type { Answer, World } from '../world.ts'

/** Plays a day of the plain shop's team. Returns the secrets. */
export async function usedByPeople(world: World): Promise<Needle[]> {
  const owner = await signIn(world, 'owner@plain.example')
  const wallet = `/wallets/${owner.wallet_id}`
  const password = 'Kf7-mistral-Qz93-lantern'
  const wrongPassword = 'Wp4-harbour-Xy61-thistle'

  const failing = { email: 'owner@plain.example', password: wrongPassword }
  await expect(signIn(world, failing)).rejects.toThrow('cannot sign in')

  const invited = await done(owner, 'POST', `${wallet}/team/invitations`, {
    email: 'finance@plain.example',
    role: 'finance',
  })
  const link = new URL(invited.body.url).hash.slice(1)
  const joined = await world.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({ token: link, name: 'Filipa', password }),
  })
  expect(joined.status, joined.text).toBe(200)

  const member = await signIn(world, { email: 'finance@plain.example', password })
  const enabled = await done(member, 'POST', '/auth/two-factor/enable', { password })
  const secret = new URL(enabled.body.totpURI).searchParams.get('secret') ?? ''
  await done(member, 'POST', '/auth/two-factor/verify-totp', { code: await codeOf(secret) })

  const made = await done(owner, 'POST', `${wallet}/developers/keys`, {
    name: 'shop',
    permissions: ['operations'],
  })
  const signing = await done(owner, 'POST', `${wallet}/developers/secrets/signing_secret`, {})
  const basic = await done(owner, 'POST', `${wallet}/developers/secrets/callback_password`, {})
  await owner.get(`${wallet}/developers/requests`)
  await owner.get(`${wallet}/actions`)

  return [
    needle('a password', password),
    needle('a password that was wrong', wrongPassword),
    needle('a one-time link', link),
    needle('the secret of an authenticator app', secret),
    ...(enabled.body.backupCodes as string[]).map((code) => needle('a backup code', code)),
    ...[owner, member].map(({ cookie }) => needle('the signature of a session cookie', signatureIn(cookie))),
    needle('an API key of the backoffice', made.body.key.split('_').at(-1)),
    needle('a signing secret of the backoffice', signing.body.secret.replace('whsec_', '')),
    needle('a password for callbacks of the backoffice', basic.body.secret),
  ]
}

async function done(who: SignedIn, method: string, path: string, body: object): Promise<Answer> {
  const answer = await who.send(method, path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

/** A session is `<token>.<signature>`. The token is stored, and useless without the signature. */
function signatureIn(cookie: string): string {
  const [, value = ''] = /session_token=([^;]+)/.exec(cookie) ?? []
  const signature = decodeURIComponent(value).split('.')[1] ?? ''
  expect(signature.length).toBeGreaterThan(30)
  return signature
}
