// Each route and command that changes a merchant writes an entry into the activity log.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/commands.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { clearingOf, createLedger, suspense } from '../../src/ledger/index.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { insertSuspense } from '../../src/suspense/store.ts'
import { type Authorizing, authorizing } from '../authorizing.ts'
import { accountReport, endToEndId } from '../bank-statements.ts'
import { startProvider } from '../connections/provider.ts'
import { createProductionWorld, type ProductionWorld } from '../connections/world.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import { codeOf, type SignedIn, signIn, withCookie } from '../people.ts'
import { newPhone } from '../phone.ts'
import { paidReferences } from '../references-paid.ts'
import { peoplePrefix, type Route, withRoutes } from '../security/routes.ts'
import { payByToken } from '../stored-cards.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World
let routes: Route[]
let owner: SignedIn
let operator: SignedIn
let database: Database
let money: Money
let cardShop: Authorizing
let subscribers: Subscribers
let token: string
let wallet: string
/** Path of the shop's wallet, below `/backoffice/api`. */
let own: string
/** Secrets that the gateway showed once. No log may contain them. */
const secrets: string[] = []

beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => openWorld('postgres'))
  owner = await signIn(world, 'owner@demo.example')
  operator = await signIn(world, 'operator@demo.example')
  database = openPostgres({ url: world.databaseUrl as string })
  wallet = String(world.shop.wallet_id)
  own = `/wallets/${wallet}`
  money = moneyOf(world)
  cardShop = authorizing(() => world)
  subscribers = subscribersOf(world)
  token = await cardShop.storeCard()
  secrets.push(token, owner.password, ...Object.values(ibans))
  await world.cli('merchant', 'set', wallet, '--iban', ibans.paid)
  const { bank_reference: reference_text } = await money.funds()
  await money.sandbox('bank/transfer', { reference_text, amount: '900' })
})
afterAll(async () => {
  await database?.close()
  await world?.stop()
})

/** An action, and the expected log entry. */
interface Deed {
  readonly by: 'command line' | string
  readonly done: () => Promise<unknown>
  readonly shows: Json
  readonly walletId?: number | string
}

type Make = () => Promise<Omit<Deed, 'by'> & { readonly by?: string }>

const change = (field: unknown, old: unknown, now: unknown) => ({ field, old, new: now })

const actionsOf = async (walletId: number | string): Promise<Json[]> =>
  (await operator.get(`/wallets/${walletId}/actions`)).body.actions

/** Runs the action and expects one new log entry with its person, old value and new value. */
async function expectLogged({ by, done, shows, walletId = wallet }: Deed): Promise<void> {
  const isNew = async () => {
    const before = new Set(known)
    return (await actionsOf(walletId)).filter(({ tid }) => !before.has(tid))
  }
  const known = (await actionsOf(walletId)).map(({ tid }) => tid)
  const answer = (await done()) as Partial<Answer> & { readonly code?: number }
  expect(answer.status ?? answer.code, answer.text).toBe(answer.status === undefined ? 0 : 200)
  const [entry, ...others] = await world.eventually(async () => {
    const all = (await isNew()).filter(({ action }) => action !== 'Read as operator')
    return all.length > 0 && all.every(({ status }) => status > 0) && all
  })
  expect(others).toEqual([])
  expect(entry).toMatchObject({ email: by, status: 200 })
  expect(entry.changes).toContainEqual(shows)
}

const ofTeam = (method: string, path: string, body: unknown, shows: Json) => ({
  done: () => owner.send(method, `${own}/${path}`, body),
  shows,
})
const byOperator = (method: string, path: string, body: unknown, shows: Json) => ({
  by: operator.email,
  done: () => operator.send(method, `/operator/${path}`, body),
  shows,
})
const byCommand = (args: readonly string[], shows: Json) => ({ done: () => world.cli(...args), shows })
const made = (thing: string, now: unknown) => change(expect.stringMatching(`^${thing} `), '', now)

let endpointsMade = 0
const callbackEndpoint = async (): Promise<Json> => {
  const url = `https://stock.example/${++endpointsMade}`
  return (await world.shop.post('/api/v2/callback_endpoints', { url })).body
}
const paid = async () => (await payByToken(world, token)).id as string
const held = async () => (await cardShop.authorize(token, 10)).id as string
const linkTo = async (email: string): Promise<string> => {
  const { body } = await owner.send('POST', `${own}/team/invitations`, { email, role: 'support' })
  return body.url
}
const join_ = (url: string) =>
  world.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({
      token: new URL(url).hash.slice(1),
      name: 'Rui',
      password: 'four plain words here',
    }),
  })
const member = async (email: string): Promise<string> => {
  expect((await join_(await linkTo(email))).status).toBe(200)
  return idOfMember(email)
}
const idOfMember = async (email: string): Promise<string> =>
  (await owner.get(`${own}/team`)).body.members.find((one: Json) => one.email === email).id

/** A debit that the bank has. Returns its order and operation. */
async function debit(amount = 10): Promise<{ id: string; order: string }> {
  const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR', ext_invoiceid: 'T' } })
  await money.payByDebit(checkout)
  await world.cli('bank', 'export')
  const { id } = checkout.payment
  const { orders } = (await world.cli('bank', 'orders')).json
  return { id, order: orders.find((one: Json) => one.operation_id === id).order_id }
}

/** A bank entry that only the operator can assign. Its text names the shop's wallet. */
async function unmatched(): Promise<string> {
  const { id, order } = await debit()
  await world.cli('bank', 'settle', order, '--returned', '--reason', 'x')
  const { bank_reference: text } = await money.funds()
  const lines = [{ amount: '10.00', reference: id, details: [{ endToEndId: endToEndId(id), text }] }]
  const path = join(world.dataDir, `${id}.xml`)
  writeFileSync(path, accountReport('statement', lines))
  await world.cli('bank', 'import', path)
  const { entries } = (await world.cli('bank', 'unmatched')).json
  return entries.find((one: Json) => one.end_to_end_id === endToEndId(id)).entry_id
}

async function unassigned(): Promise<string> {
  return (await money.sandbox('bank/transfer', { reference_text: 'Obrigada!', amount: 7 })).body.transfer_id
}

/** Money that a rail took against the rules for the shop. */
async function kept(): Promise<string> {
  const moved = { debit: suspense, credit: clearingOf('MB'), amount: cents(500) }
  const [posting] = await createLedger({ database }).postingRows(randomUUID(), [moved])
  const now = systemClock.now()
  const entry = {
    ...({ id: randomUUID(), walletId: BigInt(wallet), method: 'MB', paymentId: randomUUID() } as const),
    ...({ reference: '123456789', amount: cents(500), reason: 'expired', state: 'OPEN' } as const),
    ...{ paidAt: now, createdAt: now, refunds: 0, tries: 0 },
  }
  if (posting === undefined) throw new Error('no posting')
  await insertSuspense(database, entry, posting)
  return entry.id
}

const waitingFor = async (answer: string) => {
  const { order } = await debit(1500)
  await world.cli('bank', 'settle', order, answer, '--reason', 'letter')
  return order
}

const subscription = async () => (await subscribers.accepted()).id as string
const voidSubscription = (word: string) => async () => {
  const id = await subscription()
  return ofTeam('DELETE', `${word}/${id}`, undefined, change(`subscription ${id}`, 'APPROVED', 'VOIDED'))
}
const autoCharge =
  (method: string, path: string, now: string, before = 'ACTIVE 1.00') =>
  async () => {
    const { id } = await subscribers.accepted(before === 'none' ? {} : { auto_charge: { amount: 1 } })
    if (before.startsWith('PAUSED')) await world.shop.post(`/api/v2/subscriptions/${id}/pause`, {})
    const body = method === 'PATCH' ? { auto_charge: { amount: 1 } } : undefined
    return ofTeam(
      method,
      `subscriptions/${id}${path}`,
      body,
      change(`auto_charge of subscription ${id}`, before, now),
    )
  }
const charge = (word: string) => async () => {
  const payment = { amount: 5, currency: 'EUR', ext_invoiceid: 'C' }
  return ofTeam(
    'POST',
    `${word}/${await subscription()}/charge`,
    { payment },
    made('charge', expect.stringMatching(/^NEW/)),
  )
}
const replaced = (kind: string) => async () => ({
  done: async () => {
    const answer = await owner.send('POST', `${own}/developers/secrets/${kind}`)
    secrets.push(answer.body.secret)
    return answer
  },
  shows: change(kind, 'set', 'replaced'),
})
const invited = expect.stringMatching(/^support, until /)

/** By method and path below `/backoffice/api/`: made when its turn comes. */
const ofRoutes: Readonly<Record<string, Make>> = {
  'POST join': async () => {
    const url = await linkTo('join@demo.example')
    return {
      ...{ by: 'join@demo.example', done: () => join_(url) },
      shows: change('team join@demo.example', '', 'support'),
    }
  },
  'DELETE wallets/:wallet/Subscriptions/:id': voidSubscription('Subscriptions'),
  'DELETE wallets/:wallet/subscriptions/:id': voidSubscription('subscriptions'),
  'POST wallets/:wallet/Subscriptions/:id/charge': charge('Subscriptions'),
  'POST wallets/:wallet/subscriptions/:id/charge': charge('subscriptions'),
  'PATCH wallets/:wallet/subscriptions/:id': autoCharge('PATCH', '', 'ACTIVE 1.00', 'none'),
  'POST wallets/:wallet/subscriptions/:id/pause': autoCharge('POST', '/pause', 'PAUSED 1.00'),
  'POST wallets/:wallet/subscriptions/:id/resume': autoCharge(
    'POST',
    '/resume',
    'ACTIVE 1.00',
    'PAUSED 1.00',
  ),
  'DELETE wallets/:wallet/subscriptions/:id/auto_charge': autoCharge('DELETE', '/auto_charge', 'ENDED 1.00'),
  'POST wallets/:wallet/authorizations/:id/capture': async () =>
    ofTeam(
      'POST',
      `authorizations/${await held()}/capture`,
      { amount: 4 },
      made('operation', 'COMPLETED 4.00'),
    ),
  'POST wallets/:wallet/authorizations/:id/release': async () =>
    ofTeam(
      'POST',
      `authorizations/${await held()}/release`,
      { amount: 4 },
      made('operation', 'COMPLETED 4.00'),
    ),
  'POST wallets/:wallet/checkout': async () =>
    ofTeam(
      'POST',
      'checkout',
      {
        payment: { amount: 12.5, currency: 'EUR', ext_invoiceid: 'T' },
        ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
      },
      made('checkout', 'NEW 12.50'),
    ),
  'DELETE wallets/:wallet/checkout/:id': async () => {
    const { id } = await world.createCheckout()
    return ofTeam('DELETE', `checkout/${id}`, undefined, change(`checkout ${id}`, 'NEW', 'VOIDED'))
  },
  'PATCH wallets/:wallet/developers/endpoints': async () => {
    const url = world.receiver.url('/callbacks')
    const shows = change('callback_url', url, `${url}?v=2`)
    return ofTeam('PATCH', 'developers/endpoints', { callback_url: `${url}?v=2` }, shows)
  },
  'POST wallets/:wallet/developers/keys': async () => ({
    done: async () => {
      const body = { name: 'till', permissions: ['checkout'] }
      const answer = await owner.send('POST', `${own}/developers/keys`, body)
      secrets.push(answer.body.key)
      return answer
    },
    shows: made('key', 'checkout'),
  }),
  'DELETE wallets/:wallet/developers/keys/:key': async () => {
    const body = { name: 'old', permissions: ['checkout'] }
    const { id } = (await owner.send('POST', `${own}/developers/keys`, body)).body
    return ofTeam('DELETE', `developers/keys/${id}`, undefined, change(`key ${id}`, 'checkout', ''))
  },
  'POST wallets/:wallet/mandate/mbway': async () => {
    const asked = { name: 'Ana', phone: newPhone(world).number, type: 'ONECLICK' }
    return ofTeam('POST', 'mandate/mbway', asked, made('mandate', 'REQUESTED'))
  },
  'DELETE wallets/:wallet/mandate/mbway/:id': async () => {
    const phone = newPhone(world)
    const asked = { name: 'Ana', phone: phone.number, type: 'ONECLICK' }
    const { mandate_id: id } = (await world.shop.post('/api/v2/mandate/mbway', asked)).body
    await phone.approve((await phone.pending()).id)
    return ofTeam('DELETE', `mandate/mbway/${id}`, undefined, change(`mandate ${id}`, 'ACTIVE', 'VOIDED'))
  },
  'POST wallets/:wallet/mb/pay': async () =>
    ofTeam('POST', 'mb/pay', { amount: 9, currency: 'EUR' }, made('operation', 'PENDING 9.00')),
  'POST wallets/:wallet/mb/reference': async () =>
    ofTeam('POST', 'mb/reference', { min_amount: 5, max_amount: 20 }, made('reference', 'payable')),
  'DELETE wallets/:wallet/mb/reference': async () => {
    const { mb } = (await world.shop.post('/api/v2/mb/reference', { min_amount: 5, max_amount: 20 })).body
    const shows = change(`reference ${mb.entity} ${mb.ref}`, 'payable', 'deleted')
    return ofTeam('DELETE', 'mb/reference', { mb }, shows)
  },
  'POST wallets/:wallet/operations/:id/refund': async () =>
    ofTeam(
      'POST',
      `operations/${await paid()}/refund`,
      { type: 'partial', amount: 4 },
      made('operation', 'COMPLETED -4.00'),
    ),
  'DELETE wallets/:wallet/operations/:id/refund_account': async () => {
    await world.cli('merchant', 'set', wallet, '--mb-refunds', 'on')
    const references = paidReferences(world)
    const { id } = (await references.refund((await references.paid()).id)).body
    const shows = change(`refund ${id}`, 'WAITING', 'ENDED')
    return ofTeam('DELETE', `operations/${id}/refund_account`, undefined, shows)
  },
  'POST wallets/:wallet/operations/:id/split': async () => {
    const id = await paid()
    const { public_id } = world.merchant('Sub Shop A')
    const body = { split: [{ merchant_wallet: public_id }] }
    const shares = expect.stringMatching(`^${public_id} \\d+\\.\\d\\d$`)
    return ofTeam('POST', `operations/${id}/split`, body, change(`shares of operation ${id}`, '', shares))
  },
  'POST wallets/:wallet/payment_links': async () =>
    ofTeam(
      'POST',
      'payment_links',
      { description: 'Lamp', amount: 10 },
      made('payment link', 'ACTIVE 10.00'),
    ),
  'DELETE wallets/:wallet/payment_links/:id': async () => {
    const { id } = (await world.shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 10 })).body
    return ofTeam(
      'DELETE',
      `payment_links/${id}`,
      undefined,
      change(`payment link ${id}`, 'ACTIVE', 'CLOSED'),
    )
  },
  'POST wallets/:wallet/customers': async () =>
    ofTeam('POST', 'customers', { name: 'Ana' }, made('customer', 'created')),
  'PATCH wallets/:wallet/customers/:id': async () => {
    const { id } = (await world.shop.post('/api/v2/customers', { name: 'Ana' })).body
    return ofTeam('PATCH', `customers/${id}`, { name: 'Rui' }, change(`customer ${id}`, '', 'changed name'))
  },
  'DELETE wallets/:wallet/customers/:id': async () => {
    const { id } = (await world.shop.post('/api/v2/customers', { name: 'Ana' })).body
    return ofTeam(
      'DELETE',
      `customers/${id}`,
      undefined,
      change(`customer ${id}`, '0 saved cards', 'deleted'),
    )
  },
  'DELETE wallets/:wallet/customers/:id/payment_methods/:method': async () => {
    const { id } = (await world.shop.post('/api/v2/customers', {})).body
    await world.payOnPage(await world.createCheckout({ customer: { id } }), cards.frictionless, {
      save: 'yes',
    })
    const [card] = (await world.shop.get(`/api/v2/customers/${id}/payment_methods`)).body.elements
    const path = `customers/${id}/payment_methods/${card.id}`
    return ofTeam('DELETE', path, undefined, change(`customer ${id}`, 'card visa •••• 0027', 'card deleted'))
  },
  'PUT wallets/:wallet/mails/kinds/:kind': async () =>
    ofTeam('PUT', 'mails/kinds/payment_link', { enabled: true }, change('mail payment_link', 'off', 'on')),
  'POST wallets/:wallet/payment_links/:id/mail': async () => {
    const { id } = (await world.shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 10 })).body
    const email = 'ana@example.com'
    await owner.send('PUT', `${own}/mails/kinds/payment_link`, { enabled: true })
    return ofTeam(
      'POST',
      `payment_links/${id}/mail`,
      { email },
      change(`payment link ${id}`, '', `mailed to ${email}`),
    )
  },
  'POST wallets/:wallet/callback_endpoints': async () =>
    ofTeam(
      'POST',
      'callback_endpoints',
      { url: 'https://stock.example/new' },
      made('callback endpoint', 'https://stock.example/new, every kind, ACTIVE'),
    ),
  'PATCH wallets/:wallet/callback_endpoints/:id': async () => {
    const { id, number, url } = await callbackEndpoint()
    return ofTeam(
      'PATCH',
      `callback_endpoints/${id}`,
      { status: 'PAUSED', kinds: ['charge'] },
      change(`callback endpoint ${number}`, `${url}, every kind, ACTIVE`, `${url}, charge, PAUSED`),
    )
  },
  'DELETE wallets/:wallet/callback_endpoints/:id': async () => {
    const { id, number, url } = await callbackEndpoint()
    return ofTeam(
      'DELETE',
      `callback_endpoints/${id}`,
      undefined,
      change(`callback endpoint ${number}`, `${url}, every kind, ACTIVE`, ''),
    )
  },
  'POST wallets/:wallet/callback_endpoints/:id/secrets': async () => {
    const { id, number } = await callbackEndpoint()
    return ofTeam(
      'POST',
      `callback_endpoints/${id}/secrets`,
      { kind: 'callback_secret' },
      change(`callback endpoint ${number} callback_secret`, 'set', 'replaced'),
    )
  },
  'POST wallets/:wallet/payouts': async () =>
    ofTeam('POST', 'payouts', { amount: 5 }, made('operation', 'PENDING -5.00')),
  'PUT wallets/:wallet/payouts/schedule': async () =>
    ofTeam(
      'PUT',
      'payouts/schedule',
      { frequency: 'weekly', day: 2, minimum: 50 },
      change('payout_schedule', 'none, minimum 0.01, keep 0.00', 'weekly, day 2, minimum 50.00, keep 0.00'),
    ),
  'DELETE wallets/:wallet/recurring/cards/:token': async () => {
    const stored = await cardShop.storeCard('5299990270000368')
    secrets.push(stored)
    return {
      done: () => owner.send('DELETE', `${own}/recurring/cards/${stored}`),
      shows: change(expect.stringMatching(/^card .* •••• 0368$/), 'stored', 'deleted'),
    }
  },
  // The card API needs the old token, because the test has paid by card with it.
  'POST wallets/:wallet/developers/secrets/callback_password': replaced('callback_password'),
  'POST wallets/:wallet/developers/secrets/esb_token': replaced('esb_token'),
  'POST wallets/:wallet/developers/secrets/signing_secret': replaced('signing_secret'),
  'PATCH wallets/:wallet/settings': async () =>
    ofTeam('PATCH', 'settings', { split_fee_fixed: '0.25' }, change('split_fee_fixed', '0.00', '0.25')),
  'PUT wallets/:wallet/settings/iban': async () =>
    ofTeam(
      'PUT',
      'settings/iban',
      { iban: ibans.noFunds },
      change('iban', 'PT50 •••• 0154', 'PT50 •••• 1087'),
    ),
  'PUT wallets/:wallet/settings/logo': async () => {
    const logo =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    return ofTeam('PUT', 'settings/logo', { logo }, change('logo', '', expect.stringMatching(/./)))
  },
  'POST wallets/:wallet/team/invitations': async () => ({
    done: async () => {
      const body = { email: 'new@demo.example', role: 'support' }
      const answer = await owner.send('POST', `${own}/team/invitations`, body)
      secrets.push(answer.body.url.split('#')[1])
      return answer
    },
    shows: change('invitation new@demo.example', '', invited),
  }),
  'DELETE wallets/:wallet/team/invitations/:id': async () => {
    await linkTo('gone@demo.example')
    const { invitations } = (await owner.get(`${own}/team`)).body
    const { id } = invitations.find((one: Json) => one.email === 'gone@demo.example')
    const shows = change('invitation gone@demo.example', invited, '')
    return ofTeam('DELETE', `team/invitations/${id}`, undefined, shows)
  },
  'PUT wallets/:wallet/team/members/:id': async () => {
    const id = await member('role@demo.example')
    const shows = change('team role@demo.example', 'support', 'finance')
    return ofTeam('PUT', `team/members/${id}`, { role: 'finance' }, shows)
  },
  'POST wallets/:wallet/team/members/:id/password-link': async () => {
    const id = await member('reset@demo.example')
    const shows = change('password link reset@demo.example', '', expect.stringMatching(/^until /))
    return ofTeam('POST', `team/members/${id}/password-link`, undefined, shows)
  },
  'POST wallets/:wallet/team/members/:id/lost-phone-link': async () => {
    const id = await idOfMember('role@demo.example')
    const shows = change('lost phone link role@demo.example', '', expect.stringMatching(/^until /))
    return ofTeam('POST', `team/members/${id}/lost-phone-link`, undefined, shows)
  },
  'DELETE wallets/:wallet/team/members/:id': async () => {
    const id = await member('left@demo.example')
    return ofTeam('DELETE', `team/members/${id}`, undefined, change('team left@demo.example', 'support', ''))
  },
  'POST operator/bank/entries/:id/resolve': async () => {
    const id = await unmatched()
    const shows = change(`transfer ${id}`, '', `wallet ${wallet}`)
    return byOperator('POST', `bank/entries/${id}/resolve`, { as_transfer: true }, shows)
  },
  'POST operator/bank/orders/:id/settle': async () => {
    const { order } = await debit()
    const body = { answer: 'paid', fee: '1.50', reason: 'letter' }
    const shows = change(`order ${order}`, 'not answered', 'paid by hand, fee 1.50: letter')
    return byOperator('POST', `bank/orders/${order}/settle`, body, shows)
  },
  'POST operator/bank/orders/:id/approve': async () => {
    const order = await waitingFor('--paid')
    const waits = 'waits for a second person: paid by hand: letter'
    const shows = change(`order ${order}`, waits, 'paid by hand: letter (proposed by command line)')
    return byOperator('POST', `bank/orders/${order}/approve`, {}, shows)
  },
  'POST operator/bank/orders/:id/withdraw': async () => {
    const order = await waitingFor('--returned')
    const waits = 'waits for a second person: returned by hand: letter'
    const shows = change(`order ${order}`, waits, 'not answered')
    return byOperator('POST', `bank/orders/${order}/withdraw`, {}, shows)
  },
  'POST operator/suspense/:id/assign': async () => {
    const id = await kept()
    const body = { wallet_id: Number(wallet) }
    return byOperator('POST', `suspense/${id}/assign`, body, change(`suspense ${id}`, 'OPEN', 'ASSIGNED'))
  },
  'POST operator/suspense/:id/refund': async () => {
    const id = await kept()
    const to = { iban: ibans.paid, name: 'Ana' }
    const state = expect.stringMatching(/^REFUND/)
    return byOperator('POST', `suspense/${id}/refund`, to, change(`suspense ${id}`, 'OPEN', state))
  },
  'POST operator/transfers/:id/assign': async () => {
    const id = await unassigned()
    const shows = change(`transfer ${id}`, '', `wallet ${wallet}`)
    return byOperator('POST', `transfers/${id}/assign`, { wallet_id: Number(wallet) }, shows)
  },
  'PATCH operator/merchants/:id': async () =>
    byOperator('PATCH', `merchants/${wallet}`, { day_limit: '5000' }, change('day_limit', '', '5000.00')),
  // This comes after all changes of the team: from now on everybody there needs an authenticator app.
  'PUT wallets/:wallet/team/rules': async () => {
    const { password } = owner
    const { body } = await owner.send('POST', '/auth/two-factor/enable', { password })
    const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
    secrets.push(secret)
    const code = await codeOf(secret, -1)
    const verified = await owner.send('POST', '/auth/two-factor/verify-totp', { code })
    const cookie = verified.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const again = await withCookie(world, owner, cookie)
    return {
      done: () => again.send('PUT', `${own}/team/rules`, { two_factor_required: true }),
      shows: change('two_factor_required', 'false', 'true'),
    }
  },
}

/** Routes that change something, but no money or right of a merchant, with the reason. */
const otherRoutes: Readonly<Record<string, RegExp>> = {
  'somebody’s own account, which the log of its person has': /^(account|auth|confirm|sign-in)\b/,
  'looks at a link, and uses nothing of it': /^join\/look$/,
  'sends again what was sent, or a test':
    /developers\/(events\/:id\/resend|resend-failed|ping)$|callback_endpoints\/:id\/(resend|test)$/,
  checks: /^operator\/(audit|rails\/:id\/check)$/,
  'of the whole gateway': /^operator\/master-keys\/rotate$/,
  'files: the history of each operation shows the actions of the bank':
    /^operator\/bank\/(download|export|import)$/,
  'a note on a difference': /^operator\/differences\/:id\/explain$/,
  'a merchant that is made has no log before: tried below': /^operator\/merchants$/,
  'a sandbox has no connections: connect.test.ts tries it': /^operator\/rails$/,
}

const changing = () =>
  routes
    .filter(({ url, method }) => url.startsWith(peoplePrefix) && !['GET', 'HEAD'].includes(method))
    .map(({ url, method }) => ({
      name: `${method} ${url.slice(peoplePrefix.length)}`,
      path: url.slice(peoplePrefix.length),
    }))

describe('routes', () => {
  it('each that changes something is tried, or has a reason not to be', () => {
    const reasons = Object.values(otherRoutes)
    const untried = changing().filter(({ name }) => !(name in ofRoutes))
    expect(untried.filter(({ path }) => !reasons.some((one) => one.test(path)))).toEqual([])
    expect(reasons.filter((one) => !untried.some(({ path }) => one.test(path)))).toEqual([])
    const names = changing().map(({ name }) => name)
    expect(Object.keys(ofRoutes).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(Object.entries(ofRoutes))('%s', async (_, make) => {
    await expectLogged({ by: owner.email, ...(await make()) })
  })
})

describe('commands', () => {
  const setUser = ['--email', 'cli@demo.example', '--role', 'finance']
  const ofCommands: Readonly<Record<string, Make>> = {
    'merchant set': async () =>
      byCommand(
        ['merchant', 'set', wallet, '--payment-limit', '900', '--rotate-esb-token'],
        change('payment_limit', '', '900.00'),
      ),
    'key create': async () =>
      byCommand(['key', 'create', wallet, '--permissions', 'operations'], made('key', 'operations')),
    'key revoke': async () => {
      const { id } = (await world.cli('key', 'create', wallet, '--permissions', 'operations')).json
      return byCommand(['key', 'revoke', id], change(`key ${id}`, 'operations', ''))
    },
    'user create': async () =>
      byCommand(
        ['user', 'create', '--wallet', wallet, ...setUser],
        change('invitation cli@demo.example', '', expect.stringMatching(/^finance, until /)),
      ),
    'user reset': async () =>
      byCommand(
        ['user', 'reset', 'role@demo.example'],
        change('password link role@demo.example', '', expect.stringMatching(/^until /)),
      ),
    'user remove': async () =>
      byCommand(['user', 'remove', 'role@demo.example'], change('team role@demo.example', 'finance', '')),
    payout: async () =>
      byCommand(['payout', '--wallet', wallet, '--amount', '3'], made('operation', 'PENDING -3.00')),
    'bank assign': async () => {
      const id = await unassigned()
      const shows = change(`transfer ${id}`, '', `wallet ${wallet}`)
      return byCommand(['bank', 'assign', id, '--wallet', wallet], shows)
    },
    'bank resolve': async () => {
      const id = await unmatched()
      const shows = change(`transfer ${id}`, '', `wallet ${wallet}`)
      return byCommand(['bank', 'resolve', id, '--as-transfer'], shows)
    },
    'bank settle': async () => {
      const { order } = await debit()
      const shows = change(`order ${order}`, 'not answered', 'returned by hand: letter')
      return byCommand(['bank', 'settle', order, '--returned', '--reason', 'letter'], shows)
    },
    'suspense assign': async () => {
      const id = await kept()
      const shows = change(`suspense ${id}`, 'OPEN', 'ASSIGNED')
      return byCommand(['suspense', 'assign', id, '--wallet', wallet], shows)
    },
    'suspense refund': async () => {
      const id = await kept()
      const shows = change(`suspense ${id}`, 'OPEN', expect.stringMatching(/^REFUND/))
      return byCommand(['suspense', 'refund', id, '--iban', ibans.paid, '--name', 'Ana'], shows)
    },
  }
  const triedBelow = ['merchant create', 'connect', 'rails set', 'rails route', 'rails remove']
  /** Commands that change something, but no money or right of a merchant, with the reason. */
  const others: Readonly<Record<string, readonly string[]>> = {
    'files: the history of each operation shows the actions of the bank': [
      'bank export',
      'bank files',
      'bank import',
    ],
    'of the whole gateway': ['vault rotate', 'audit rotate', 'rails exchange'],
    'a note on a difference': ['reconcile explain'],
    'sends again what was sent, or tries again what came': ['callbacks resend', 'rails webhooks'],
    'sets the gateway up, or moves the time of a sandbox': [
      'serve',
      'migrate',
      'cell',
      'demo',
      'clock',
      'backup',
      'restore',
    ],
    'acts with an API key, as a program of the merchant': [
      ...['payments list', 'payments get', 'payments refund', 'payments capture', 'checkout create'],
      ...['logs tail', 'listen', 'trigger', 'exam', 'doctor'],
    ],
    reads: [
      ...[
        'cell routes',
        'cells',
        'queues',
        'merchant list',
        'key list',
        'user list',
        'callbacks list',
        'vault status',
        'balance',
        'bank transfers',
      ],
      ...['bank unmatched', 'bank orders', 'suspense list', 'rails drivers', 'rails list', 'rails check'],
      ...['reconcile', 'audit', 'audit head', 'audit keys', 'completion'],
    ],
  }

  it('each is tried, or has a reason not to be', () => {
    const known = [...Object.keys(ofCommands), ...triedBelow, ...Object.values(others).flat()]
    expect(commands.map(({ name }) => name).sort()).toEqual(known.sort())
    const silent = commands.filter((one) => one.local !== undefined && one.changes === 'nothing')
    expect(silent.filter(({ name }) => name in ofCommands || triedBelow.includes(name))).toEqual([])
  })

  it.each(Object.entries(ofCommands))('%s', async (_, make) => {
    await expectLogged({ by: 'command line', ...(await make()) })
  })

  it('logs a replaced secret without its value, together with other settings', async () => {
    const actions = await actionsOf(wallet)
    const { changes } = actions.find(({ changes = [] }) =>
      changes.some(({ field }: Json) => field === 'payment_limit'),
    )
    expect(changes).toContainEqual(change('esb_token', 'set', 'replaced'))
  })
})

it('a merchant that is made begins its log with all of its settings', async () => {
  const body = { name: 'New', email: 'new@example.com', iban: ibans.closed }
  const byPage = await operator.send('POST', '/operator/merchants', body)
  const args = ['--name', 'New', '--email', 'new@example.com', '--iban', ibans.closed]
  const { json } = await world.cli('merchant', 'create', ...args)
  secrets.push(byPage.body.api_key, byPage.body.callback_secret, byPage.body.callback_signing_secret)
  secrets.push(byPage.body.invitation.split('#')[1], json.callback_secret, json.callback_signing_secret)
  for (const [id, email] of [
    [byPage.body.wallet_id, operator.email],
    [json.wallet_id, 'command line'],
  ]) {
    const entry = await world.eventually(async () =>
      (await actionsOf(id)).find((one) => one.action === 'Create a merchant' && one.status > 0),
    )
    expect(entry).toMatchObject({ email, status: 200 })
    expect(entry.changes).toContainEqual(change('email', '', 'new@example.com'))
    expect(entry.changes).toContainEqual(change('iban', '', 'PT50 •••• 2057'))
  }
})

it('connections to providers are in the log of the merchant whose own they are', async () => {
  const provider = await startProvider(new Set())
  provider.open('own', 'very-secret-token')
  let production: ProductionWorld | undefined
  try {
    production = await createProductionWorld()
    const stall = await production.merchant('Banca', 'CC,MBWAY')
    const { databaseUrl } = production
    const secret = ['--secret', `token=@${production.file('very-secret-token')}`]
    const settings = ['--setting', `url=${provider.url}`, '--setting', 'account=own']
    const ofStall = ['--wallet', String(stall.id)]
    const keys = [`url=${provider.url}`, 'account=own', `token=@${production.file('very-secret-token')}`]
    await production.cli('connect', 'testwallet', ...keys, ...ofStall)
    const set = ['rails', 'set', 'testpay', ...settings, ...secret, ...ofStall, '--rails', 'acquirer']
    const { connection } = await production.cli(...set)
    await production.cli('rails', 'route', 'MBWAY', 'testpay', ...ofStall)
    await production.cli('rails', 'remove', String(connection))
    const log = openPostgres({ url: databaseUrl })
    const rows = await log.run(
      statement<{ email: string; action: string; changes: Json[] }>(
        `select email, action, changes from backoffice.actions where wallet_id = ${stall.id} order by id desc limit 4`,
      ),
    )
    await log.close()
    const field = `connection ${connection} testpay`
    expect(rows.map(({ email, action }) => [email, action])).toEqual([
      ['command line', 'Remove a connection'],
      ['command line', 'Choose the connection of a method'],
      ['command line', 'Set a connection'],
      ['command line', 'Set a connection'],
    ])
    const [removed, routed, made] = rows.map(({ changes }) => changes)
    expect(made).toEqual([
      change(field, '', expect.stringMatching(/^acquirer; .*account=own/)),
      change(`${field} token`, '', 'replaced'),
    ])
    expect(routed).toContainEqual(
      change(field, expect.stringMatching(/^acquirer;/), expect.stringMatching(/mobileWallet/)),
    )
    expect(removed).toEqual([
      change(field, expect.stringMatching(/^acquirer/), expect.stringMatching(/^removed/)),
    ])
    expect(JSON.stringify(rows)).not.toContain('very-secret-token')
  } finally {
    await production?.stop()
    await provider.close()
  }
})

it('logs each page of a merchant that an operator reads', async () => {
  const reader = operator
  const [transfer, entry] = [await unassigned(), await kept()]
  const ids: Readonly<Record<string, string>> = { 'transfers/:id': transfer, 'suspense/:id': entry }
  const reading = routes.filter(
    ({ method, url, parameters }) =>
      method === 'GET' &&
      (url.startsWith(`${peoplePrefix}wallets/:wallet/`) ||
        url === `${peoplePrefix}operator/merchants/:id` ||
        (url.startsWith(`${peoplePrefix}operator/`) && parameters.includes('wallet_id'))),
  )
  expect(reading.length).toBeGreaterThan(30)
  const plain = world.merchant('Plain Shop').wallet_id
  const paths = reading.map(({ url }) => {
    const path = url.slice(peoplePrefix.length - 1).replace(':wallet', String(plain))
    const [place = ''] = /(transfers|suspense)\/:id/.exec(path) ?? []
    const id = ids[place] ?? (path.includes('merchants/') ? String(plain) : randomUUID())
    return path.replace(':day', '2026-01-01').replace(/:\w+/g, id)
  })
  const parameters: Readonly<Record<string, string>> = {
    assign: `?wallet_id=${plain}`,
    askers: `?ids=${randomUUID()}`,
  }
  for (const path of paths) {
    const { status } = await reader.get(path + (parameters[path.split('/').at(-1) ?? ''] ?? ''))
    expect([path, status]).toEqual([path, expect.toSatisfy((one) => one === 200 || one === 404)])
  }
  const targets = async () => {
    const rows = await database.run(
      statement<{ target: string }>(
        `select distinct target from backoffice.actions
         where wallet_id = ${plain} and status > 0 and action = 'Read as operator'`,
      ),
    )
    return rows.map(({ target }) => target).sort()
  }
  await expect.poll(targets).toEqual([...new Set(paths.map((path) => `/backoffice/api${path}`))].sort())
})

it('no secret and no whole IBAN is in any log', async () => {
  const [row] = await database.run(
    statement<{ all: string }>(
      `select string_agg(concat_ws(' ', action, target, about, changes::text), ' ') as all from backoffice.actions`,
    ),
  )
  const found = secrets.filter((secret) => row?.all.toUpperCase().includes(secret.toUpperCase()))
  expect(secrets.length).toBeGreaterThan(15)
  expect(found).toEqual([])
})
