// An operator of a gateway in production, with a session.
import type { ProductionWorld } from '../connections/world.ts'
import { codeOf, type SignedIn, signIn, withCookie } from '../people.ts'

const baseUrl = 'https://pay.example.com'
const password = 'four plain words here'

/** Sends requests for the public address to the gateway on this machine. */
export function publicWorld({ local }: Pick<ProductionWorld, 'local'>) {
  return {
    ...{ baseUrl, dataDir: '' },
    async request(path: string, init?: RequestInit) {
      const { status, headers, ...response } = await fetch(local + path, init).then(async (one) => ({
        ...{ status: one.status, headers: one.headers },
        text: await one.text(),
      }))
      const isJson = headers.get('content-type')?.includes('json') === true
      return { status, headers, ...response, body: isJson ? JSON.parse(response.text) : undefined }
    },
  }
}

/** Creates an account by its invitation, with the authenticator app that operators need. @param of options of `user create` */
export async function newPerson(world: ProductionWorld, email: string, ...of: string[]): Promise<SignedIn> {
  const { url } = await world.cli('user', 'create', '--email', email, ...of)
  const gateway = publicWorld(world)
  const joined = await gateway.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ token: new URL(String(url)).hash.slice(1), name: 'Ana', password }),
  })
  if (joined.status !== 200) throw new Error(`${email} cannot join: ${joined.text}`)
  const person = await signIn(gateway, { email, password })
  const enabled = await person.send('POST', '/auth/two-factor/enable', { password })
  const code = await codeOf(new URL(enabled.body.totpURI).searchParams.get('secret') ?? '', -1)
  const verified = await person.send('POST', '/auth/two-factor/verify-totp', { code })
  const cookies = verified.headers.getSetCookie().map((one) => one.split(';')[0])
  return withCookie(gateway, person, cookies.join('; '))
}
