// The API of the operator's pages.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountReport } from '../bank-statements.ts'
import { openWorld } from '../gateway-here.ts'
import { demoUser, type SignedIn, signIn } from '../people.ts'
import type { Json, World } from '../world.ts'

let world: World
let operator: SignedIn

beforeAll(async () => {
  world = await openWorld()
  operator = await signIn(world, 'operator@demo.example')
})
afterAll(() => world?.stop())

it('makes a merchant whose key works, changes it, and says which field is wrong', async () => {
  const made = await operator.send('POST', '/operator/merchants', {
    name: 'Livraria Lisboa',
    email: 'livros@example.com',
    rights: ['partner'],
    methods: ['CC', 'BANK'],
    fees: { CC: '1.5%+0.20' },
  })
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({
    api_key: expect.stringMatching(/^cmp_test_/),
    esb_token: expect.any(String),
  })
  const authorization = `Comporta ${made.body.api_key}`
  const methods = await world.request('/api/v2/wallets/methods', { headers: { authorization } })
  expect(methods.body).toEqual({ methods: ['CC', 'BANK'] })
  const join = await world.request('/backoffice/api/join/look', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({ token: made.body.invitation.split('#')[1] }),
  })
  expect(join.body).toMatchObject({ merchant: 'Livraria Lisboa', role: 'owner' })

  const path = `/operator/merchants/${made.body.wallet_id}`
  const changed = await operator.send('PATCH', path, { split_fee_fixed: '0.30', fees: { CC: '' } })
  expect(changed.body).toMatchObject({ split_fee_fixed: '0.30', fees: { CC: '1%+0.15' }, keys: 1 })
  for (const [body, field] of [
    [{ split_fee_variable: '2' }, 'split_fee_variable'],
    [{ fees: { CC: 'much' } }, 'fees.CC'],
    [{ methods: ['CASH'] }, 'methods'],
    [{ iban: 'PT00' }, 'iban'],
    [{ iban: 'SA03 8000 0000 6080 1016 7519' }, 'Saudi Arabia (SA) is not one'],
  ] as const) {
    expect(await operator.send('PATCH', path, body)).toMatchObject({
      status: 400,
      body: { code: 10002, reason: expect.stringContaining(field) },
    })
  }
  const found = await operator.get('/operator/merchants?search=LIVROS')
  expect(found.body).toMatchObject({ total: 1, merchants: [{ wallet_id: made.body.wallet_id }] })

  await operator.send('PATCH', path, { suspended: true })
  expect((await operator.get(path)).body.suspended).toMatch(/Z$/)
  const refused = await world.request('/api/v2/checkout', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(refused).toMatchObject({ status: 403, body: { code: 20002 } })

  const { actions } = (await operator.get('/operator/actions')).body
  const [newest] = actions.filter(({ action }: Json) => action !== 'Read as operator')
  expect(newest).toMatchObject({ email: operator.email, action: 'Change a merchant', status: 200 })
})

it('runs the audit one at a time, and keeps what it found', async () => {
  const begun = await Promise.all([1, 2, 3].map(() => operator.send('POST', '/operator/audit', {})))
  expect(begun.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const ended = await world.eventually(async () => {
    const [run] = (await operator.get('/operator/audit')).body.runs
    return run.ended !== null && run
  })
  expect(ended).toMatchObject({ started_by: operator.email, problems: [], error: null })
  expect(Object.keys(ended.checks)).toHaveLength(ended.checks_total)
  expect((await operator.send('POST', '/operator/audit', {})).status).toBe(200)
})

it('puts a transfer that names no wallet to one, once, and says which field is missing', async () => {
  const transfer = await world.request('/sandbox/api/bank/transfer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference_text: 'Obrigada!', amount: 7 }),
  })
  const id = transfer.body.transfer_id
  const { transfers } = (await operator.get('/operator/transfers')).body
  expect(transfers).toContainEqual(expect.objectContaining({ id, amount: '7.00' }))
  expect((await operator.get('/operator/home')).body).toMatchObject({ transfers: 1 })
  const path = `/operator/transfers/${id}/assign`
  expect(await operator.send('POST', path, {})).toMatchObject({ status: 400, body: { code: 10001 } })
  expect(await operator.send('POST', path, { wallet_id: 999_999 })).toMatchObject({ status: 404 })
  const assigned = await operator.send('POST', path, { wallet_id: world.shop.wallet_id })
  expect(assigned).toMatchObject({ status: 200, body: { done: true } })
  expect((await operator.send('POST', path, { wallet_id: world.shop.wallet_id })).status).toBe(409)
  expect((await operator.get('/operator/transfers')).body).toEqual({ transfers: [] })
})

it('imports a file of a bank that was sent as bytes, in the encoding that it declares', async () => {
  const text = accountReport('statement', [{ amount: '9.10', details: [{ text: 'Conceição & Weiß' }] }])
  const declared = text.replace('UTF-8', 'ISO-8859-1').replaceAll('&', '&amp;')
  const content = Buffer.from(declared, 'latin1').toString('base64')
  const sent = await operator.send('POST', '/operator/bank/import', {
    ...{ name: 'latin.xml', content, encoding: 'base64' },
  })
  expect(sent).toMatchObject({ status: 200, body: { entries: 1, unmatched: 0 } })
  const { transfers } = (await operator.get('/operator/transfers')).body
  expect(transfers).toMatchObject([{ amount: '9.10', text: 'Conceição & Weiß' }])
  const path = `/operator/transfers/${transfers[0].id}/assign`
  await operator.send('POST', path, { wallet_id: world.shop.wallet_id })
})

it('refuses files that are not from a bank, and unknown entries, differences and money', async () => {
  const file = await operator.send('POST', '/operator/bank/import', { name: 'x.xml', content: '<notes/>' })
  expect(file).toMatchObject({ status: 400, body: { reason: expect.stringContaining('x.xml') } })
  const id = '01991234-5678-7000-8000-000000000000'
  for (const [path, body] of [
    [`bank/entries/${id}/resolve`, { note: 'asked the bank' }],
    ['differences/17/explain', { note: 'a fee' }],
    [`suspense/${id}/refund`, {}],
    [`suspense/${id}/assign`, { wallet_id: world.shop.wallet_id }],
    ['rails/1/check', {}],
  ] as const) {
    expect((await operator.send('POST', `/operator/${path}`, body)).status, path).toBe(404)
  }
  expect((await operator.send('POST', '/operator/bank/export', {})).body).toEqual({ files: [] })
})

it('refuses incomplete requests before it searches for the object', async () => {
  const id = '01991234-5678-7000-8000-000000000000'
  for (const [path, body, field] of [
    [`suspense/${id}/refund`, { iban: 'PT50000201231234567890154' }, 'iban and name'],
    [`suspense/${id}/refund`, { name: 'Ana' }, 'iban and name'],
    [`suspense/${id}/assign`, { operation_id: 'the last one' }, 'operation_id'],
    [`bank/entries/${id}/resolve`, {}, 'note'],
    [`bank/entries/${id}/resolve`, { note: ' ' }, 'note'],
    [`bank/entries/${id}/resolve`, { note: 'ours', as_transfer: true }, 'note'],
  ] as const) {
    const answer = await operator.send('POST', `/operator/${path}`, body)
    expect([path, answer.status, answer.body.reason]).toEqual([path, 400, expect.stringContaining(field)])
  }
})

it('refuses a number that no wallet and no store can have, and reads none as another', async () => {
  const id = '01991234-5678-7000-8000-000000000000'
  for (const path of [`/operator/transfers/${id}/assign`, `/operator/suspense/${id}/assign`]) {
    for (const number of ['1e30', '9223372036854775808', '9007199254740993', '1.5', '1.0e-7', 'true', '0']) {
      const preview = await operator.get(`${path}?wallet_id=${number}`)
      expect([path, number, preview.status, preview.body.reason]).toEqual([
        ...[path, number, 400, expect.stringContaining('wallet_id')],
      ])
    }
    for (const wallet_id of [1e30, 2 ** 63, 2 ** 53, 1.5, 0, -1]) {
      const { status, body } = await operator.send('POST', path, { wallet_id })
      expect([path, wallet_id, status, body.reason]).toEqual([
        ...[path, wallet_id, 400, expect.stringContaining('wallet_id')],
      ])
    }
  }
  const owner = await signIn(world, 'owner@demo.example')
  for (const number of [1e30, 2 ** 31, 1.5, 0]) {
    const settings = `/wallets/${world.shop.wallet_id}/settings`
    const { status, body } = await owner.send('PATCH', settings, {
      rename_stores: [{ id: number, name: 'A' }],
    })
    expect([number, status, body.reason]).toEqual([number, 400, expect.stringContaining('rename_stores')])
  }
})

it('takes the wallet of a consumer for no merchant', async () => {
  const consumer = await world.request('/sandbox/api/consumers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'consumer@demo.example', pin: '0471', balance: 5 }),
  })
  const path = `/operator/merchants/${consumer.body.wallet_id}`
  expect((await operator.get(path)).status).toBe(404)
  expect((await operator.send('PATCH', path, { suspended: true })).status).toBe(404)
  expect((await operator.get(`/wallets/${consumer.body.wallet_id}/home`)).status).toBe(403)
})

it('counts what waits as the metrics do', async () => {
  const { queues, callbacks } = (await operator.get('/operator/queues')).body
  expect(queues.map(({ kind }: { kind: string }) => kind)).toContain('callbacks')
  expect(callbacks).toEqual([])
  const metrics = (await world.request('/metrics')).text
  for (const { kind } of queues) expect(metrics).toContain(`comporta_backlog_due{kind="${kind}"}`)
})

it('refuses everything of the operator to an owner', async () => {
  const owner = await signIn(world, 'owner@demo.example')
  for (const path of ['merchants', 'audit', 'actions'])
    expect(await owner.get(`/operator/${path}`)).toMatchObject({ status: 403, body: { code: 20002 } })
  expect((await owner.send('POST', '/operator/audit', {})).status).toBe(403)
})

it('a team with an operator sees account actions of the operator, and only operator actions about its merchant', async () => {
  const owner = await signIn(world, 'owner@demo.example')
  const team = `/wallets/${world.shop.wallet_id}`
  const { email } = operator
  const invited = await owner.send('POST', `${team}/team/invitations`, { email, role: 'read_only' })
  const joined = await world.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({
      token: invited.body.url.split('#')[1],
      password: demoUser(world, email).password,
    }),
  })
  expect(joined.status, joined.text).toBe(200)
  const again = await signIn(world, email)
  expect((await again.send('POST', '/operator/audit', {})).status).toBeLessThan(500)
  expect((await again.send('POST', '/operator/bank/export', {})).status).toBe(200)
  expect((await again.get('/operator/actions')).body.actions[0].target).toMatch(/operator\/bank\/export$/)
  const { actions } = (await owner.get(`${team}/actions`)).body as {
    actions: { email: string; action: string }[]
  }
  const theirs = actions.filter((one) => one.email === email).map(({ action }) => action)
  expect([...new Set(theirs)]).toEqual(['Sign in', 'Join a team', 'Assign a transfer to a wallet'])
})
