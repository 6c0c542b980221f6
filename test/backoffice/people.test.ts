// Protects the accounts of people from intruders: sign-in, codes, links, sessions, teams.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { judgesTimes } from '../patience.ts'
import { codeOf, demoUser, type SignedIn, signIn } from '../people.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { type Answer, cards, type World } from '../world.ts'

const password = 'four plain words here'
let world: World
let origin: string
let owner: SignedIn
let team: string
/** IP addresses without a session; each test uses another one. */
let address = ''
let tests = 0

beforeAll(async () => {
  world = await openWorld('postgres', { TRUST_PROXY: 'loopback', RATE_LIMITS: 'on' })
  origin = new URL(world.baseUrl).origin
  owner = await signIn(world, 'owner@demo.example')
  team = `/wallets/${world.shop.wallet_id}/team`
})
beforeEach(() => {
  address = `10.0.0.${++tests}`
})
afterAll(() => world?.stop())

/** Headers of a page without a session. */
function ask(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return world.request(`/backoffice/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(body),
  })
}

const tokenOf = (url: string) => url.split('#')[1] ?? ''
const cookieOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .filter((one) => !/=$/.test(one ?? ''))
    .join('; ')

/** Invites a person. This person joins and signs in. */
async function joined(email: string, role: string, by = owner, path = team): Promise<SignedIn> {
  const invited = await by.send('POST', `${path}/invitations`, { email, role })
  expect(invited.status, invited.text).toBe(200)
  const answer = await ask('/join', { token: tokenOf(invited.body.url), name: 'Somebody', password })
  expect(answer.status, answer.text).toBe(200)
  return signIn(world, { email, password })
}

async function memberId(email: string): Promise<string> {
  const { body } = await owner.get(team)
  return body.members.find((one: { email: string }) => one.email === email)?.id
}

const secretOf = (uri: string) => new URL(uri).searchParams.get('secret') ?? ''

/** A person of the team who uses an authenticator app. */
async function withApp(email: string, by = owner, path = team) {
  const who = await joined(email, 'support', by, path)
  const { body } = await who.send('POST', '/auth/two-factor/enable', { password })
  const verified = await who.send('POST', '/auth/two-factor/verify-totp', {
    code: await codeOf(secretOf(body.totpURI), -1),
  })
  expect(verified.status, verified.text).toBe(200)
  return { secret: secretOf(body.totpURI), backupCodes: body.backupCodes as string[] }
}

/** Changes the session as if the person had confirmed their identity an hour ago. */
async function anHourLater(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(
      `update backoffice.sessions set confirmed_at = now() - interval '1 hour'
       where user_id = (select id from backoffice.users where email = $1)`,
      [email],
    )
  } finally {
    await client.end()
  }
}

const passwordStep = (email: string, its = password) => ask('/sign-in', { email, password: its })

describe('signing in', () => {
  it('lets a few tries fail, and has further ones wait', async () => {
    await joined('tries@demo.example', 'read_only')
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => passwordStep('tries@demo.example', 'wrong')),
    )
    const statuses = tries.map(({ status }) => status).sort()
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429])
    const refused = await passwordStep('tries@demo.example')
    expect([refused.status, refused.body.code]).toEqual([429, 10029])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('holds back who fails, and neither other addresses nor a browser that signed in before', async () => {
    const email = 'held@demo.example'
    const { cookie } = await joined(email, 'read_only')
    const device = cookie.split('; ').find((one) => one.startsWith('comporta.device=')) ?? ''
    expect(device).not.toBe('')
    const own = (its: string, headers: Record<string, string> = { cookie: device }) =>
      ask('/sign-in', { email, password: its }, headers)
    for (let count = 0; count < 6; count++) await passwordStep(email, 'wrong')
    expect((await passwordStep(email)).status).toBe(429)
    expect((await own(password)).status).toBe(200)
    const elsewhere = await own(password, { 'x-forwarded-for': '10.9.9.9' })
    expect(elsewhere.status).toBe(200)
    const forged = await own(password, { cookie: device.replace('device=', 'device=x') })
    expect(forged.status).toBe(429)
    // The other address has the same number of tries, and no more.
    for (let count = 0; count < 5; count++) expect((await own('wrong')).status).toBe(401)
    expect((await own(password)).status).toBe(429)
  })

  it('has an address that asks for passkeys again and again wait', async () => {
    const path = '/backoffice/api/auth/passkey/generate-authenticate-options'
    const look = (from: string) => world.request(path, { headers: { 'x-forwarded-for': from } })
    const answers = await Promise.all(Array.from({ length: 33 }, () => look(address)))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 30 }, () => 200),
      ...[429, 429, 429],
    ])
    expect((await look('10.8.8.8')).status).toBe(200)
  })

  it('answers alike for an account that does not exist, and takes as long', async () => {
    const spent = { known: [] as number[], unknown: [] as number[] }
    const answers = new Set<string>()
    for (let count = 0; count < 4; count++) {
      for (const kind of ['known', 'unknown'] as const) {
        const email = kind === 'known' ? 'reader@demo.example' : 'nobody@demo.example'
        const start = performance.now()
        const { status, body } = await passwordStep(email, 'wrong')
        spent[kind].push(performance.now() - start)
        answers.add(JSON.stringify([status, body.code, body.reason]))
      }
    }
    expect([...answers]).toHaveLength(1)
    if (!judgesTimes) return
    const least = { known: Math.min(...spent.known), unknown: Math.min(...spent.unknown) }
    expect(least.unknown).toBeGreaterThan(least.known / 2)
    expect(least.unknown).toBeLessThan(least.known * 2)
  })

  it('does not count against an address what succeeded there', async () => {
    for (let count = 0; count < 32; count++) {
      expect(
        (await passwordStep('owner@plain.example', demoUser(world, 'owner@plain.example').password)).status,
      ).toBe(200)
    }
  })

  it('works under another name of this machine, and sends no secret that a script can read', async () => {
    const { port } = new URL(world.baseUrl)
    for (const host of ['localhost', '127.0.0.1']) {
      const answer = await world.request(`http://${host}:${port}/backoffice/api/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `http://${host}:${port}` },
        body: JSON.stringify(demoUser(world, 'owner@demo.example')),
      })
      expect([host, answer.status]).toEqual([host, 200])
      for (const cookie of answer.headers.getSetCookie()) {
        expect(cookie).toMatch(/; Path=\/backoffice; (.* )?SameSite=Strict/i)
        if (!cookie.includes('; HttpOnly')) expect(cookie).toMatch(/^comporta\.signed_in=yes; Max-Age=43200;/)
      }
    }
    const foreign = await ask('/sign-in', demoUser(world, 'owner@demo.example'), {
      origin: 'https://evil.example',
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 20002])
  })
})

describe('two-factor', () => {
  it('asks for a code, accepts each once, and stops a guesser', async () => {
    const email = 'codes@demo.example'
    const { secret, backupCodes } = await withApp(email)
    const first = await passwordStep(email)
    expect(first.body).toEqual({ two_factor: true })
    const halfway = cookieOf(first)
    expect((await world.request('/backoffice/api/session', { headers: { cookie: halfway } })).status).toBe(
      401,
    )
    const code = await codeOf(secret, 0)
    const [one, two] = await Promise.all(
      [0, 1].map(() => ask('/auth/two-factor/verify-totp', { code }, { cookie: halfway })),
    )
    expect([one?.status, two?.status].sort()).toEqual([200, 401])
    const again = await passwordStep(email)
    const replayed = await ask('/auth/two-factor/verify-totp', { code }, { cookie: cookieOf(again) })
    expect([replayed.status, replayed.body.reason]).toEqual([401, 'code was used: wait for the next one'])

    const [backup = ''] = backupCodes
    const by = await ask('/auth/two-factor/verify-backup-code', { code: backup }, { cookie: cookieOf(again) })
    expect(by.status, by.text).toBe(200)
    const twice = await passwordStep(email)
    const usedBackup = await ask(
      '/auth/two-factor/verify-backup-code',
      { code: backup },
      { cookie: cookieOf(twice) },
    )
    expect(usedBackup.status).toBe(401)

    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      const guess = await ask(
        '/auth/two-factor/verify-totp',
        { code: '000000' },
        { cookie: cookieOf(twice), 'x-forwarded-for': `10.0.0.${count}` },
      )
      statuses.push(guess.status)
    }
    expect(statuses.at(-1)).toBe(429)
    // The attacker has the password. Others can still sign in, and wait only at the code.
    expect((await passwordStep(email)).status).toBe(200)
  })

  it('checks a code for the waiting account, also if the request has other cookies', async () => {
    const email = 'waiting@demo.example'
    const guesser = 'guesser@demo.example'
    await withApp(email)
    const { secret, backupCodes } = await withApp(guesser)
    const waiting = cookieOf(await passwordStep(email))
    const guessersOwn = cookieOf(await passwordStep(guesser))
    const enter = (cookie: string, code: string) => ask('/auth/two-factor/verify-totp', { code }, { cookie })
    const session = cookieOf(await enter(guessersOwn, await codeOf(secret, 0)))
    const another = cookieOf(await passwordStep(guesser))
    for (const code of ['000001', '000002', '000003']) expect((await enter(waiting, code)).status).toBe(401)

    for (const cookie of [`${another}; ${waiting}`, `${waiting}; ${another}`]) {
      const twice = await enter(cookie, await codeOf(secret, 1))
      expect([twice.status, twice.body.reason]).toEqual([400, 'cookie comporta.two_factor must be sent once'])
      expect(twice.headers.getSetCookie()).toEqual([])
    }
    const besideSession = [
      await enter(`${session}; ${waiting}`, await codeOf(secret, 1)),
      await ask(
        '/auth/two-factor/verify-backup-code',
        { code: backupCodes[0] },
        { cookie: `${waiting}; ${session}` },
      ),
    ]
    for (const { status, headers } of besideSession) {
      expect([status, headers.getSetCookie().join()]).toEqual([401, expect.not.stringContaining('device')])
    }
    // Three wrong codes, and the two codes of another person.
    expect((await enter(waiting, '000004')).status).toBe(429)

    const otherwise = await ask('/sign-in', demoUser(world, 'reader@demo.example'), { cookie: another })
    expect(otherwise.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^comporta\.two_factor=;.* Max-Age=0/),
    )
  })

  it('cannot be passed by a device that claims trust, nor by a new password', async () => {
    const email = 'trust@demo.example'
    const { secret } = await withApp(email)
    const first = await passwordStep(email)
    const trusted = await ask(
      '/auth/two-factor/verify-totp',
      { code: await codeOf(secret, 1), trustDevice: true },
      { cookie: cookieOf(first) },
    )
    expect(trusted.headers.getSetCookie().join()).not.toMatch(/trust_device=[^;]/)
    const cookie = cookieOf(trusted)
    const made = await owner.send('POST', `${team}/members/${await memberId(email)}/password-link`)
    const changed = { token: tokenOf(made.body.url), password: 'another four plain words' }
    expect((await ask('/join', changed)).status).toBe(200)
    expect((await world.request('/backoffice/api/session', { headers: { cookie } })).status).toBe(401)
    const entered = await ask('/sign-in', { email, password: 'another four plain words' }, { cookie })
    expect(entered.body).toEqual({ two_factor: true })
  })
})

describe('a person with a lost phone', () => {
  it('gets a link that takes two-factor away from an owner who says so, and from nobody for themselves', async () => {
    const email = 'phone@demo.example'
    await withApp(email)
    const id = await memberId(email)
    const made = await owner.send('POST', `${team}/members/${id}/lost-phone-link`)
    expect(made.status, made.text).toBe(200)
    const chosen = 'another four plain words'
    expect((await ask('/join', { token: tokenOf(made.body.url), password: chosen })).status).toBe(200)
    expect((await ask('/sign-in', { email, password: chosen })).body).toEqual({ two_factor: false })

    const own = await owner.send('POST', `${team}/members/${await memberId(owner.email)}/lost-phone-link`)
    expect([own.status, own.body.code]).toEqual([403, 20002])
    const byCommand = await world.cli('user', 'reset', email, '--two-factor')
    expect(byCommand.json.url).toContain('/backoffice/join#')
    const operator = await signIn(world, 'operator@demo.example')
    const { actions } = (await operator.get('/operator/actions')).body
    expect(actions).toContainEqual(
      expect.objectContaining({
        email: 'command line',
        action: 'Make a link that takes two-factor away',
        target: email,
      }),
    )
  })
})

describe('the action log', () => {
  const loggedOf = async (email: string, by = owner) => {
    const { actions } = (await by.get(`/wallets/${world.shop.wallet_id}/actions`)).body
    return actions
      .filter((one: { email: string }) => one.email === email)
      .map((one: { action: string; status: number; address?: string }) => [
        one.action,
        one.status,
        one.address,
      ])
  }

  it('records sign-ins, sign-outs, failures and changes of sign-in methods', async () => {
    const email = 'logged@demo.example'
    const invited = await owner.send('POST', `${team}/invitations`, { email, role: 'support' })
    await ask('/join', { token: tokenOf(invited.body.url), name: 'L', password })
    await passwordStep(email, 'wrong')
    await world.eventually(async () => (await loggedOf(email)).length === 2)
    const who = await signIn(world, { email, password })
    const { body } = await who.send('POST', '/auth/two-factor/enable', { password })
    const code = await codeOf(secretOf(body.totpURI), -1)
    const verified = await who.send('POST', '/auth/two-factor/verify-totp', { code })
    // The sign-in begins another session.
    const cookie = cookieOf(verified)
    const session = await world.request('/backoffice/api/session', { headers: { cookie } })
    const renewed = { cookie, 'x-csrf-token': session.body.csrf_token }
    await who.send('POST', '/auth/two-factor/disable', { password }, renewed)
    const again = await signIn(world, { email, password })
    await again.send('POST', '/confirm', { password: 'wrong' })
    await world.eventually(async () => (await loggedOf(email)).length === 8)
    await again.send('POST', '/auth/change-password', {
      currentPassword: password,
      newPassword: 'quite another password',
    })
    const last = await signIn(world, { email, password: 'quite another password' })
    expect((await last.send('POST', '/auth/sign-out')).status).toBe(200)
    expect((await last.get('/session')).status).toBe(401)
    const here = '127.0.0.1'
    await world.eventually(async () => (await loggedOf(email))[0][1] === 200)
    expect((await loggedOf(email)).reverse()).toEqual([
      ['Join a team', 200, address],
      ['Fail to sign in', 401, address],
      ['Sign in', 200, here],
      ['Begin to use an authenticator app', 200, here],
      ['Use an authenticator app', 200, here],
      ['Stop using an authenticator app', 200, here],
      ['Sign in', 200, here],
      ['Fail to show that it is them', 401, here],
      ['Change their password', 200, here],
      ['Sign in', 200, here],
      ['Sign out', 200, here],
    ])
    const reader = await signIn(world, 'reader@demo.example')
    expect((await loggedOf(email, reader)).map(([, , where]: unknown[]) => where)).not.toContain(here)
    expect((await loggedOf('owner@plain.example')).length).toBe(0)
  })

  it('stores no text typed for an unknown account', async () => {
    await passwordStep('hunter2-typed-into-the-wrong-field', 'wrong')
    await passwordStep('reader@demo.example', 'wrong')
    await world.eventually(async () =>
      (await loggedOf('reader@demo.example')).some(([action]: string[]) => action === 'Fail to sign in'),
    )
    const client = new pg.Client({ connectionString: world.databaseUrl })
    await client.connect()
    const { rows } = await client.query(
      `select count(*)::int from backoffice.actions where email like 'hunter2%'`,
    )
    await client.end()
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('one-time links', () => {
  it('work once, of two at the same moment too, and no more once they are replaced or withdrawn', async () => {
    const email = 'once@demo.example'
    const first = await owner.send('POST', `${team}/invitations`, { email, role: 'support' })
    const second = await owner.send('POST', `${team}/invitations`, { email, role: 'finance' })
    expect((await owner.get(team)).body.invitations).toMatchObject([
      { email, role: 'finance', is_over: false },
    ])
    expect((await ask('/join', { token: tokenOf(first.body.url), name: 'A', password })).status).toBe(404)
    const token = tokenOf(second.body.url)
    const short = await ask('/join', { token, name: 'A', password: 'short' })
    expect([short.status, short.body.code]).toEqual([400, 10002])
    const both = await Promise.all([1, 2].map(() => ask('/join', { token, name: 'A', password })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await owner.get(team)).body.invitations).toEqual([])

    await owner.send('POST', `${team}/invitations`, { email: 'late@demo.example', role: 'support' })
    const [listed] = (await owner.get(team)).body.invitations
    const plain = await signIn(world, 'owner@plain.example')
    const elsewhere = `/wallets/${world.merchant('Plain Shop').wallet_id}/team`
    expect((await plain.send('DELETE', `${elsewhere}/invitations/${listed.id}`)).status).toBe(404)
    for (const link of ['password-link', 'lost-phone-link']) {
      const foreign = `${elsewhere}/members/${await memberId(owner.email)}/${link}`
      expect((await plain.send('POST', foreign)).status).toBe(404)
    }
    expect((await owner.send('DELETE', `${team}/invitations/${listed.id}`)).status).toBe(200)
    expect((await owner.send('DELETE', `${team}/invitations/${listed.id}`)).status).toBe(404)
    expect((await owner.get(team)).body.invitations).toEqual([])
  })

  it('for a password open only the team of their maker', async () => {
    const email = 'both@demo.example'
    await joined(email, 'support')
    const id = await memberId(email)
    const before = await owner.send('POST', `${team}/members/${id}/password-link`)
    expect(before.status, before.text).toBe(200)

    const plain = await signIn(world, 'owner@plain.example')
    const elsewhere = `/wallets/${world.merchant('Plain Shop').wallet_id}/team`
    const invited = await plain.send('POST', `${elsewhere}/invitations`, { email, role: 'owner' })
    const wrong = await ask('/join', { token: tokenOf(invited.body.url), password: 'not their password' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 20001])
    expect((await ask('/join', { token: tokenOf(invited.body.url), password })).status).toBe(200)
    const { session } = await signIn(world, { email, password })
    expect(session.wallets.map(({ role }: { role: string }) => role)).toEqual(['support', 'owner'])

    const taken = await ask('/join', { token: tokenOf(before.body.url), password: 'chosen by somebody else' })
    expect(taken.status).toBe(409)
    const after = await owner.send('POST', `${team}/members/${id}/password-link`)
    expect([after.status, after.body.code]).toEqual([403, 20002])
    expect((await passwordStep(email)).status).toBe(200)
  })
})

describe('sessions', () => {
  it('end with the password they were begun with, all others', async () => {
    const email = 'sessions@demo.example'
    const here = await joined(email, 'support')
    const there = await signIn(world, { email, password })
    const listed = await here.get('/account/sessions')
    expect(listed.body.sessions.map(({ is_this }: { is_this: boolean }) => is_this).sort()).toEqual([
      false,
      true,
    ])
    const stolen = await there.send('POST', '/auth/two-factor/verify-totp', { code: '123456' })
    expect(stolen.status).toBe(400)
    const changed = await here.send('POST', '/auth/change-password', {
      currentPassword: password,
      newPassword: 'quite another password',
      revokeOtherSessions: false,
    })
    expect(changed.status, changed.text).toBe(200)
    expect((await there.get('/session')).status).toBe(401)
    expect((await here.get('/session')).status).toBe(401)
    expect(
      (await world.request('/backoffice/api/session', { headers: { cookie: cookieOf(changed) } })).status,
    ).toBe(200)
    expect((await passwordStep(email)).status).toBe(401)
  })

  it('end one by one, or all but this; nobody ends those of others', async () => {
    const email = 'devices@demo.example'
    const here = await joined(email, 'support')
    const there = await signIn(world, { email, password })
    const third = await signIn(world, { email, password })
    const [ofOwner] = (await owner.get('/account/sessions')).body.sessions
    expect((await here.send('DELETE', `/account/sessions/${ofOwner.id}`)).status).toBe(404)
    const { sessions } = (await there.get('/account/sessions')).body
    const its = sessions.find((one: { is_this: boolean }) => one.is_this)
    expect((await here.send('DELETE', `/account/sessions/${its.id}`)).status).toBe(200)
    expect((await there.get('/session')).status).toBe(401)
    expect((await here.send('DELETE', '/account/sessions')).body).toEqual({ ended: 1 })
    expect((await third.get('/session')).status).toBe(401)
    expect((await here.get('/session')).status).toBe(200)
  })

  it('carry their own token only, and give nobody more tries at a password', async () => {
    const here = await joined('guess@demo.example', 'owner')
    const there = await signIn(world, { email: 'guess@demo.example', password })
    const foreign = await here.send(
      'PUT',
      `${team}/members/nobody`,
      { role: 'owner' },
      { 'x-csrf-token': there.session.csrf_token },
    )
    expect([foreign.status, foreign.body.code]).toEqual([403, 20002])
    const statuses: number[] = []
    for (const path of [
      '/confirm',
      '/auth/two-factor/enable',
      '/confirm',
      '/auth/two-factor/enable',
      '/confirm',
      '/confirm',
    ]) {
      statuses.push((await here.send('POST', path, { password: 'wrong' })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    const changing = await here.send('POST', '/auth/change-password', {
      currentPassword: 'x',
      newPassword: password,
    })
    expect(changing.status).toBe(429)
    await owner.send('DELETE', `${team}/members/${await memberId('guess@demo.example')}`)
  })
})

describe('a team', () => {
  it('is never without an owner, also when two demote each other at once', async () => {
    const plain = await signIn(world, 'owner@plain.example')
    const path = `/wallets/${world.merchant('Plain Shop').wallet_id}/team`
    const idOf = async (email: string) =>
      (await plain.get(path)).body.members.find((one: { email: string }) => one.email === email)?.id
    const own = await idOf('owner@plain.example')
    for (const removed of (await plain.get(path)).body.members) {
      if (removed.id !== own) await plain.send('DELETE', `${path}/members/${removed.id}`)
    }
    const alone = await plain.send('PUT', `${path}/members/${own}`, { role: 'finance' })
    expect([alone.status, alone.body.code]).toEqual([409, 10013])
    expect((await plain.send('DELETE', `${path}/members/${own}`)).status).toBe(409)
    const invited = await plain.send('POST', `${path}/invitations`, {
      email: 'owner@plain.example',
      role: 'read_only',
    })
    expect([invited.status, invited.body.code]).toEqual([409, 10013])

    const other = await joined('second@plain.example', 'owner', plain, path)
    for (let round = 0; round < 8; round++) {
      const { members } = (await plain.get(path)).body as {
        members: { id: string; role: string; email: string }[]
      }
      const [mine, theirs] = ['owner@plain.example', 'second@plain.example'].map((email) =>
        members.find((one) => one.email === email),
      )
      await Promise.all([
        plain.send('PUT', `${path}/members/${theirs?.id}`, { role: 'finance' }),
        other.send('PUT', `${path}/members/${mine?.id}`, { role: 'finance' }),
      ])
      const left = (await plain.get(path)).body.members.filter(
        (one: { role: string }) => one.role === 'owner',
      )
      expect(left).toHaveLength(1)
      const [still] = left
      const by = still.email === plain.email ? plain : other
      const demoted = still.id === mine?.id ? theirs : mine
      expect((await by.send('PUT', `${path}/members/${demoted?.id}`, { role: 'owner' })).status).toBe(200)
    }
  })

  it('shuts out a removed person at once, with the links that they made', async () => {
    const leaving = await joined('leaving@demo.example', 'owner')
    const kept = await leaving.send('POST', `${team}/invitations`, {
      email: 'friend@demo.example',
      role: 'owner',
    })
    const id = await memberId('leaving@demo.example')
    expect((await owner.send('PUT', `${team}/members/${id}`, { role: 'developer' })).status).toBe(200)
    const lacking = await leaving.send('POST', `${team}/invitations`, {
      email: 'friend@demo.example',
      role: 'owner',
    })
    expect([lacking.status, lacking.body.code]).toEqual([403, 20002])
    expect((await ask('/join', { token: tokenOf(kept.body.url), name: 'F', password })).status).toBe(404)
    expect((await owner.send('DELETE', `${team}/members/${id}`)).status).toBe(200)
    expect((await leaving.get(team)).status).toBe(403)
    expect((await leaving.get('/session')).body.wallets).toEqual([])
    expect((await owner.send('DELETE', `${team}/members/${id}`)).status).toBe(404)
  })

  it('takes names as they are, and addresses that are some', async () => {
    const name = '<script>alert(1)</script>'
    const invited = await owner.send('POST', `${team}/invitations`, {
      email: 'Script@Demo.Example',
      role: 'support',
    })
    await ask('/join', { token: tokenOf(invited.body.url), name, password })
    const { members } = (await owner.get(team)).body
    expect(members).toContainEqual(expect.objectContaining({ name, email: 'script@demo.example' }))
    const bad = await owner.send('POST', `${team}/invitations`, { email: 'nobody', role: 'support' })
    expect([bad.status, bad.body.reason]).toEqual([400, 'email must be an address, such as ana@example.com'])
    const role = await owner.send('POST', `${team}/invitations`, { email: 'a@b.example', role: 'king' })
    expect([role.status, role.body.code]).toEqual([400, 10002])
  })
})

it('takes no password that is tried first, in a link and when somebody changes theirs', async () => {
  const email = 'weak@demo.example'
  const invited = await owner.send('POST', `${team}/invitations`, { email, role: 'support' })
  const token = tokenOf(invited.body.url)
  for (const weak of ['Password1234', 'abcabcabcabc', '123456789012', 'aaaaaaaaaaaaaa', email]) {
    const answer = await ask('/join', { token, name: 'W', password: weak })
    expect([answer.status, answer.body.reason], weak).toEqual([400, expect.stringMatching(/^password must/)])
  }
  expect((await ask('/join', { token, name: 'W', password })).status).toBe(200)
  const who = await signIn(world, { email, password })
  for (const newPassword of ['Qwertyuiop12', `${email.toUpperCase()}1`]) {
    const changed = await who.send('POST', '/auth/change-password', {
      currentPassword: password,
      newPassword,
    })
    expect([changed.status, changed.body.code], newPassword).toEqual([400, 10002])
  }
})

it('the operator lists and removes people by command', async () => {
  const who = await joined('gone@demo.example', 'support')
  const listed = await world.cli('user', 'list')
  expect(listed.json.users).toContainEqual({
    email: 'gone@demo.example',
    name: 'Somebody',
    operator: false,
    two_factor: false,
    signed_in_at: expect.any(String),
    teams: [{ wallet_id: world.shop.wallet_id, role: 'support' }],
  })
  expect((await world.cli('user', 'remove', 'gone@demo.example')).code).toBe(0)
  expect((await who.get('/session')).status).toBe(401)
  expect((await world.cli('user', 'remove', 'gone@demo.example')).code).toBe(1)
  const kept = await world.cli('user', 'remove', 'owner@demo.example')
  expect([kept.code, kept.json.reason ?? kept.text]).toEqual([1, expect.stringContaining('only owner')])
})

it('the action log does not name the token of a card', async () => {
  const cards = `/wallets/${world.shop.wallet_id}/recurring/cards`
  const token = '01ABCDEF-0123-4567-89AB-0123456789AB'
  await owner.send('DELETE', `${cards}/${token}`)
  const { body } = await owner.get(`/wallets/${world.shop.wallet_id}/actions`)
  expect(body.actions[0].target).toBe(`/backoffice/api${cards}/:token`)
  expect(JSON.stringify(body)).not.toContain(token)
})

describe('a route that moves money or creates a secret', () => {
  const wallet = () => `/wallets/${world.shop.wallet_id}`
  const asked = (answer: Answer) => [answer.status, answer.body.code]
  const wantsConfirmation = [403, 20010]

  it('asks for a confirmation, also with other fields in the request', async () => {
    const who = await joined('confirming@demo.example', 'owner')
    await anHourLater(who.email)
    const newKey = { name: 'x', permissions: ['operations'] }
    const id = '01991234-5678-7000-8000-000000000000'
    for (const query of ['', '?dry_run=true']) {
      for (const [method, path, body] of [
        ['POST', '/developers/keys', newKey],
        ['POST', '/developers/keys', { ...newKey, dry_run: true }],
        ['PATCH', '/developers/endpoints', { callback_url: 'https://evil.example/' }],
        ['POST', '/developers/secrets/callback_password', {}],
        ['PUT', '/settings/iban', { iban: 'PT50000201231234567890154' }],
      ] as const) {
        const answer = await who.send(method, `${wallet()}${path}${query}`, body)
        expect([method, path, ...asked(answer)]).toEqual([method, path, ...wantsConfirmation])
      }
    }
    expect(asked(await who.send('POST', `${wallet()}/operations/${id}/split`, { split: [] }))).toEqual(
      wantsConfirmation,
    )
    expect((await who.send('POST', '/confirm', { password })).status).toBe(200)
    const made = await who.send('POST', `${wallet()}/developers/keys`, newKey)
    expect(made.status, made.text).toBe(200)
  })

  it('counts what was refunded before, and refunds little without being asked', async () => {
    const who = await joined('refunding@demo.example', 'finance')
    await anHourLater(who.email)
    const token = await storeCard(world, cards.frictionless.number)
    const { id } = await payByToken(world, token, { amount: 900 })
    const refund = (amount: number) => who.send('POST', `${wallet()}/operations/${id}/refund`, { amount })
    expect((await refund(300)).status).toBe(200)
    expect(asked(await refund(300))).toEqual(wantsConfirmation)
    expect((await refund(200)).status).toBe(200)
  })

  it('a developer makes no key that moves money out', async () => {
    const who = await joined('developing@demo.example', 'developer')
    for (const permission of ['payouts', 'split', 'card_plain']) {
      const answer = await who.send('POST', `${wallet()}/developers/keys`, {
        name: 'x',
        permissions: ['operations', permission],
      })
      expect(asked(answer)).toEqual([403, 20002])
    }
  })
})

it('a code is asked of nobody who has not shown a password, however the cookie is written', async () => {
  const verified = await ask(
    '/auth/two-factor/verify-totp',
    { code: '123456' },
    { cookie: 'comporta.two_factor=x' },
  )
  expect([verified.status, verified.body.reason]).toEqual([401, 'show your password first'])
})
