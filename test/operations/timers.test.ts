// Due times are in tables of their own: settling is a HOT update, and what an earlier version had left pending still happens.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPglite, openPostgres, statement } from '../../src/storage/index.ts'
import { authorizing } from '../authorizing.ts'
import { formTo, openPage, type Page, type PageForm, submit } from '../browserless.ts'
import { databaseKinds } from '../database.ts'
import { moneyOf } from '../money.ts'
import { newPhone, type Phone } from '../phone.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

type CheckoutPage = Parameters<World['payOnPage']>[0]
const typed = { name: 'Ana', expiry: '12/30', vcode: '123' }

async function withDatabase<T>(
  { databaseUrl, dataDir }: World,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database =
    databaseUrl === undefined
      ? await openPglite(join(dataDir, 'database'))
      : openPostgres({ url: databaseUrl })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Requests that were given up, as earlier versions kept them. */
const lateRequests = `
  create table late_requests (
    wallet_id bigint not null, id uuid not null, operation_id uuid not null, type text not null, method text not null,
    state text not null, asked integer not null default 0, tries integer not null default 0,
    noticed_at timestamptz not null, ended_at timestamptz, due_at timestamptz, primary key (wallet_id, id)
  )`

/** Attempts to pay from an online wallet, as earlier versions kept them. */
const walletAttempts = `
  create table online_wallet_attempts (
    id uuid not null, wallet_id bigint not null, operation_id uuid not null, page_token uuid not null,
    state text not null, amount bigint not null, currency text not null, return_url text not null, approve_url text,
    failure text, reference text, inquiries integer not null, created_at timestamptz not null,
    modified_at timestamptz not null, due_at timestamptz, primary key (wallet_id, id)
  );
  insert into online_wallet_attempts
  select id, wallet_id, operation_id, page_token,
    case state when 'ASKED' then 'TAKING' when 'APPROVED' then 'PAID' else state end,
    amount, currency, 'https://gateway.example', details ->> 'approveUrl', failure, reference, tries, created_at,
    modified_at, due_at
  from attempts where method = 'PAYPAL' and owner is not null`

/** Payments by phone, as earlier versions kept them. */
const mobilePayments = `
  create table mobile_payments (
    id uuid not null, wallet_id bigint not null, operation_id uuid not null, owner text not null, page_token uuid not null,
    state text not null, merchant_name text not null, phone text not null, amount bigint not null, currency text not null,
    intent text not null, mandate_id uuid, opens_mandate_id uuid, decline text, reference text,
    expires_at timestamptz not null, withdrawn_at timestamptz, inquiries integer not null,
    created_at timestamptz not null, modified_at timestamptz not null, due_at timestamptz, primary key (wallet_id, id)
  );
  insert into mobile_payments
  select id, wallet_id, operation_id, owner, page_token, case state when 'GIVEN_UP' then 'DECLINED' else state end,
    merchant_name, details ->> 'phone', amount, currency, case type when 'AUTH' then 'hold' else 'sale' end,
    (details ->> 'mandateId')::uuid, (details ->> 'opensMandateId')::uuid, failure, reference, expires_at, withdrawn_at,
    tries, created_at, modified_at, case state when 'ASKED' then due_at end
  from attempts where method = 'MBWAY' and owner is not null;
  insert into late_requests (wallet_id, id, operation_id, type, method, state, asked, noticed_at, due_at)
  select wallet_id, id, operation_id, type, method, 'WATCHED', tries, given_up_at, due_at
  from attempts where method = 'MBWAY' and owner is not null and state = 'GIVEN_UP'`

/** Direct debits, as earlier versions kept them. */
const directDebits = `
  create table direct_debits (
    id uuid not null, wallet_id bigint not null, operation_id uuid not null, page_token uuid not null,
    state text not null, amount bigint not null, currency text not null, merchant_name text not null,
    debtor_name text not null, iban text not null, mandate_id text not null, mandate_text text not null,
    signed_on date not null, signed_from text, collect_on date not null, failure text, inquiries integer not null,
    created_at timestamptz not null, modified_at timestamptz not null, paid_at timestamptz, due_at timestamptz,
    primary key (wallet_id, id)
  );
  insert into direct_debits
  select id, wallet_id, operation_id, page_token,
    case state when 'ASKED' then 'WAITING' when 'APPROVED' then 'PAID' else 'RETURNED' end,
    amount, currency, merchant_name, details -> 'debtor' ->> 'name', details -> 'debtor' ->> 'iban',
    details -> 'mandate' ->> 'id', details -> 'mandate' ->> 'text', (details -> 'mandate' ->> 'signedOn')::date,
    details -> 'mandate' ->> 'signedFrom', (details ->> 'collectOn')::date, failure, tries, created_at, modified_at,
    case state when 'APPROVED' then ended_at when 'RETURNED' then modified_at end, due_at
  from attempts where method = 'SEPA' and owner is not null`

/**
 * Attempts to pay by card, as earlier versions kept them; what had been given up of one lay in a table of its own, here
 * for each that was declined.
 */
const cardAttempts = `
  create table card_attempts (
    id uuid not null, wallet_id bigint not null, subject_id uuid not null, page_token uuid not null, owner text not null,
    state text not null, amount bigint not null, currency text not null, merchant_name text not null,
    intent text not null, sealed_card bytea, card jsonb not null, browser jsonb not null, three_ds_id uuid not null,
    method_url text, asked boolean not null, version text, acs_url text, acs_transaction_id text, authentication jsonb,
    failure text, acquirer_reference text, inquiries integer not null, created_at timestamptz not null,
    modified_at timestamptz not null, due_at timestamptz, keeps_card boolean not null, primary key (wallet_id, id)
  );
  insert into card_attempts
  select id, wallet_id, operation_id, page_token, owner,
    case state
      when 'OPEN' then case details ->> 'step' when 'ISSUER_ASKED' then 'STARTED' else details ->> 'step' end
      when 'ASKED' then 'AUTHORISING' when 'DECLINED' then 'FAILED' else state
    end,
    amount, currency, merchant_name, details ->> 'intent', sealed_card, details -> 'card', details -> 'browser',
    three_ds_id, details ->> 'methodUrl', details ->> 'step' <> 'STARTED', details ->> 'version',
    details ->> 'acsUrl', details ->> 'acsTransactionId', details -> 'authentication', failure, reference, tries,
    created_at, modified_at, due_at, (details ->> 'keepsCard')::boolean
  from attempts where method = 'CC' and owner is not null;
  insert into late_requests (wallet_id, id, operation_id, type, method, state, noticed_at, due_at)
  select wallet_id, id, subject_id, 'PAYMENT', 'CC', 'WATCHED', modified_at, modified_at + interval '1 minute'
  from card_attempts where state = 'FAILED'`

/** Charges whose rail was asked, as earlier versions kept them: due by themselves, and their payments not. */
const chargesInProgress = `
  alter table charges drop constraint charges_due, add column attempts integer not null default 0;
  update charges set attempts = 1, due_at = created_at + interval '30 seconds' where status = 'PROCESSING';
  alter table charges
    add constraint charges_check check ((status in ('NEW', 'PROCESSING')) = (due_at is not null));
  update operations set due_at = null, inquiries = 0 where id in (select operation_id from charges)`

/** Tables and columns under the names that earlier versions had for them. */
const termsOfTheTrade = `
  alter table operations rename column share_refunds to takes;
  alter table operations rename column refund_source to take_source;
  alter table bank_references rename column published_at to told_at;
  alter table sandbox.authorizations rename to authorisations;
  alter index sandbox.authorizations_pkey rename to authorisations_pkey;
  alter index sandbox.authorizations_reversed rename to authorisations_reversed;
  alter table sandbox.authorisations rename constraint authorizations_hold to authorisations_hold;
  alter function sandbox.authorization_holds rename to authorisation_holds;
  alter table sandbox.phone_follow_ups rename to phone_movements;
  alter index sandbox.phone_follow_ups_pkey rename to phone_movements_pkey;
  alter index sandbox.phone_follow_ups_by_payment rename to phone_movements_by_payment;
  alter index sandbox.phone_follow_ups_reversed rename to phone_movements_reversed;
  alter table sandbox.refunds rename to given_back;
  alter index sandbox.refunds_pkey rename to given_back_pkey;
  alter table sandbox.wallet_orders rename column refunded to given_back;
  alter table sandbox.debits rename column refunded to given_back;
  delete from sandbox.kysely_migration where name = '0002-names-of-the-trade'`

/** The tables as the version before had them, with the rows that are there. */
const asBefore = `
  alter table operations
    add column due_at timestamptz, add column inquiries integer not null default 0, add column lapse_due_at timestamptz,
    add check (due_at is null or under_approval),
    drop constraint operations_hold, drop column came_back,
    add check (
      (type = 'AUTH' and status = 'COMPLETED')
      or (captured = 0 and captures = 0 and released = 0 and lapse_due_at is null and lapsed_at is null)
    );
  drop function operation_holds;
  alter table deliveries drop constraint deliveries_hold;
  drop function delivery_holds;
  ${termsOfTheTrade};
  alter table sandbox.authorisations drop constraint authorisations_hold;
  drop function sandbox.authorisation_holds;
  alter table sandbox.authorisations set schema public;
  alter table authorisations rename to sandbox_authorisations;
  update operations set due_at = opened_movements.due_at
  from opened_movements where operations.id = any(operation_ids) and operations.status = 'PENDING';
  update operations set due_at = attempts.due_at, inquiries = attempts.tries
  from attempts
  where operations.id = attempts.id and operations.status = 'PENDING' and attempts.state = 'ASKED' and owner is null;
  update operations set lapse_due_at = authorization_timers.due_at
  from authorization_timers where operations.id = authorization_timers.id;
  ${lateRequests};
  ${walletAttempts};
  ${mobilePayments};
  ${directDebits};
  ${cardAttempts};
  ${chargesInProgress};
  drop table opened_movements, attempts, authorization_timers;
  drop index operations_payouts;
  create index operations_due on operations (due_at) where due_at is not null;
  create index operations_lapsing on operations (lapse_due_at) where lapse_due_at is not null;
  create index operations_payouts_pending on operations (wallet_id) where type = 'WALLETFUNDS' and status = 'PENDING';
  delete from kysely_migration where name in (
    '0032-lean-operations', '0036-checks-as-functions', '0037-the-sandbox-has-a-schema', '0040-attempts',
    '0041-attempts-of-customers', '0042-attempts-by-phone', '0043-attempts-by-direct-debit',
    '0047-attempts-by-card', '0048-charges-by-the-engine', '0049-published-and-share-refunds',
    '0102-what-came-back'
  )`

describe.each(databaseKinds)('on %s, opened with the data of the version before,', (kind) => {
  let world: World
  let authorization: Json
  /** Of a payment that was open when the process died. */
  let id: string
  /** Checkouts by PAYPAL: paid, cancelled, open, and agreed to while the wallet did not answer. */
  let wallets: Json[]
  /** Payments by phone: approved, waiting, and taken back by its customer. */
  let phones: Json[]
  let phone: Phone
  /** Direct debits: paid, ordered, and returned before they were paid. */
  let debits: Json[]
  /** Checkouts by card: paid, declined, and authorized by nobody yet, for the issuer or the acquirer had not answered. */
  let byCard: Json[]
  /** A charge whose rail was asked, and had not answered. */
  let charge: { readonly subscription: string; readonly id: string }
  /** Where the customer of the third is: about to go to the issuer. */
  let atIssuer: Page
  const { authorize, capture } = authorizing(() => world)

  beforeAll(async () => {
    world = await startWorld(kind)
    authorization = await authorize(await storeCard(world, cards.frictionless.number), 10)
    const money = moneyOf(world)
    const decide = ({ payment }: Json, verb: string, body = {}) =>
      money.sandbox(`online-wallet/${payment.id}/${verb}`, body)
    wallets = []
    for (let n = 0; n < 4; n++) wallets.push(await world.createCheckout())
    for (const checkout of wallets) await money.pay(checkout, 'paypal')
    const [paid, cancelled, , agreed] = wallets
    await decide(paid, 'approve')
    await decide(cancelled, 'cancel')
    debits = []
    for (let n = 0; n < 3; n++) debits.push(await world.createCheckout())
    for (const checkout of debits) await money.payByDebit(checkout)
    await money.sandbox(`sepa/${debits[0].payment.id}/settle`, { outcome: 'paid' })
    await money.sandbox(`sepa/${debits[2].payment.id}/settle`, { outcome: 'returned' })
    phone = newPhone(world)
    const byPhone = { method: 'MBWAY', type: 'PAYMENT', amount: 10, currency: 'EUR' }
    const askPhone = async () =>
      (await world.shop.post('/api/v2/payment', { ...byPhone, mbway: { phone: phone.number } })).body
    phones = [await askPhone(), await askPhone()]
    await phone.approve(phones[0].id)
    const checkout = await world.createCheckout()
    const form = await openPage(checkout.url_redirect)
    const asked = await submit(form, formTo(form, '/mbway'), { phone: newPhone(world).number })
    await submit(asked, formTo(asked, '/withdraw'))
    phones.push(checkout)
    const silent = await storeCard(world, cards.silentThenApproved.number)
    const paying = askToPay(world, silent, { ext_invoiceid: 'ASKED-1' }).catch(() => undefined)
    const list = () => world.shop.get('/api/v2/operations?ext_invoiceid=ASKED-1')
    id = (await world.eventually(async () => (await list()).body.elements[0])).id
    const agreeing = decide(agreed, 'approve', { email: 'silent@onda.example' }).catch(() => undefined)
    await world.eventually(async () =>
      (await openPage(agreed.url_redirect)).text.includes('Receiving your payment'),
    )
    byCard = []
    for (let n = 0; n < 4; n++) byCard.push(await world.createCheckout())
    const [bought, declined, challenged, silenced] = byCard
    await world.payOnPage(bought as CheckoutPage, cards.frictionless)
    await world.payOnPage(declined as CheckoutPage, cards.declined)
    const { number } = cards.challenge
    const page = await openPage(challenged.url_redirect)
    atIssuer = await submit(page, formTo(page, '/card'), { ...typed, number })
    const method = atIssuer.forms.find(({ fields }) => 'compInd' in fields)
    if (method !== undefined) atIssuer = await submit(atIssuer, method)
    formTo(atIssuer, '/challenge')
    await world.payOnPage(silenced as CheckoutPage, cards.silentThenApproved)
    const subscribers = subscribersOf(world)
    const { id: subscription } = await subscribers.accepted({}, cards.silentThenApproved)
    charge = { subscription, id: (await subscribers.charge(subscription, 5)).body.id }
    await world.eventually(
      async () => (await subscribers.chargeOf(subscription, charge.id)).status === 'PROCESSING',
    )
    await world.kill()
    await Promise.all([paying, agreeing])
    await withDatabase(world, (database) => database.run(statement(asBefore)))
    await world.restart()
  })
  afterAll(() => world.stop())

  it('goes on with payments from an online wallet', async () => {
    const [paid, cancelled, open, agreed] = wallets
    const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
    expect(await statusOf(paid)).toBe('COMPLETED')
    expect((await openPage(cancelled.url_redirect)).text).toContain('You cancelled at PayPal')
    await moneyOf(world).sandbox(`online-wallet/${open.payment.id}/approve`)
    expect(await statusOf(open)).toBe('COMPLETED')
    await world.eventually(async () => {
      await world.advance('PT1M')
      return (await statusOf(agreed)) === 'COMPLETED'
    })
  })

  it('goes on with payments by phone', async () => {
    const [approved, waiting, withdrawn] = phones
    const statusOf = async (one: string) => (await world.operation(one)).status
    expect(await statusOf(approved.id)).toBe('COMPLETED')
    expect(await statusOf(waiting.id)).toBe('PENDING')
    await phone.approve(waiting.id)
    await world.eventually(async () => (await statusOf(waiting.id)) === 'COMPLETED')
    expect((await world.payOnPage(withdrawn, cards.frictionless)).text).toContain('Payment made')
  })

  it('goes on with direct debits, also with one that is returned after it was paid', async () => {
    const [paid, ordered, returned] = debits
    const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
    const settle = ({ payment }: Json, outcome: string) =>
      moneyOf(world).sandbox(`sepa/${payment.id}/settle`, { outcome })
    expect(await Promise.all(debits.map(statusOf))).toEqual(['COMPLETED', 'PENDING', 'FAIL'])
    expect((await openPage(returned.url_redirect)).text).toContain('The payment was not made')
    await settle(ordered, 'paid')
    expect(await statusOf(ordered)).toBe('COMPLETED')
    await settle(paid, 'returned')
    expect(await world.operation(paid.payment.id)).toMatchObject({ refundable: false })
  })

  it('goes on with payments by card', async () => {
    const [bought, declined, challenged, silenced] = byCard
    const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
    expect(await statusOf(bought)).toBe('COMPLETED')
    expect((await openPage(declined.url_redirect)).text).toMatch(/declined|refused/i)
    let page = await submit(atIssuer, formTo(atIssuer, '/challenge'))
    const code = page.forms.find(({ fields }) => 'otp' in fields)
    page = await submit(page, code as PageForm, { otp: cards.challenge.otp })
    await submit(page, formTo(page, '/3ds/return/'))
    await world.eventually(async () => (await statusOf(challenged)) === 'COMPLETED')
    expect(await world.operation(challenged.payment.id)).toMatchObject({ card: { last4: '0092' } })
    // Either the acquirer had it, or it never arrived: then the customer may try again.
    await world.eventually(async () => {
      await world.advance('PT5M')
      const shown = await openPage(silenced.url_redirect)
      return (
        (await statusOf(silenced)) === 'COMPLETED' ||
        shown.forms.some(({ action }) => action.includes('/card'))
      )
    })
    expect((await world.payOnPage(declined as CheckoutPage, cards.frictionless)).html).toContain(
      'https://shop.example/ok',
    )
  })

  it('goes on with charges', async () => {
    await world.eventually(async () => {
      await world.advance('PT1M')
      const { status } = await subscribersOf(world).chargeOf(charge.subscription, charge.id)
      return status === 'SUCCESS'
    })
  })

  it('asks what became of an open payment, and lets an authorization lapse', async () => {
    // A restarted acquirer may have decided nothing yet, or nothing at all: then the payment fails.
    await world.eventually(async () => {
      await world.advance('PT5M')
      return (await world.operation(id)).status !== 'PENDING'
    })
    await world.advance('P32D')
    const ran = await world.advance('PT2M')
    expect(ran.authorizations).toBe(0)
    expect(await capture(authorization.id)).toMatchObject({ status: 409, body: { code: 10013 } })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.kill()
    const [left] = await withDatabase(world, (database) =>
      database.run(
        statement<Record<string, unknown>>(`
          select (select count(*) from opened_movements) as opened, (select count(*) from attempts where due_at is not null and state = 'ASKED') as movements,
            (select count(*) from authorization_timers) as authorizations,
            (select count(*) from operations where lapsed_at is not null) as lapsed`),
      ),
    )
    expect(left).toEqual({ opened: 0n, movements: 0n, authorizations: 0n, lapsed: 1n })
  })
})

describe('on postgres', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('postgres')
  })
  afterAll(() => world.stop())

  it('settles payments by HOT updates, which write no index, and finds them by their key', async () => {
    const token = await storeCard(world, cards.frictionless.number)
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 60 }, () => payByToken(world, token)))
    // A session that has nothing to do reports what it did ten seconds later, and one that ends at once.
    await world.kill()
    await withDatabase(world, async (database) => {
      const updates = statement<{ all: bigint; hot: bigint; scanned: bigint }>(`
        select n_tup_upd as all, n_tup_hot_upd as hot, seq_tup_read as scanned
        from pg_stat_user_tables where relname = 'operations'`)
      const counted = await world.eventually(async () => {
        const [row] = await database.run(updates)
        return row !== undefined && row.all >= 600n && row
      })
      expect(Number(counted.hot) / Number(counted.all)).toBeGreaterThanOrEqual(0.95)
      // Plans are made while the table is empty, and kept.
      expect(counted.scanned).toBeLessThan(600n)
    })
  })
})
