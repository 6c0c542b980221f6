// Limit script: a small program that does the least work for a payment and its signed callback.
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { zstdCompressSync } from 'node:zlib'
import pg from 'pg'
import { serve } from './serve.ts'

interface Payment {
  readonly id: string
  readonly event: string
  readonly key: string
  readonly amount: number
  readonly at: number
  callback: string
  answer(status: string): void
}

const tables = `
  create schema if not exists bench_limit;
  create table if not exists bench_limit.keys (
    key uuid primary key, operation_id uuid not null, fingerprint bytea not null, answer text
  ) with (fillfactor = 70);
  create table if not exists bench_limit.operations (
    id uuid primary key, wallet_id bigint not null, type text not null, status text not null, method text not null,
    amount bigint not null, fee bigint, card jsonb not null, callback text not null,
    created_at timestamptz not null, modified_at timestamptz not null
  ) with (fillfactor = 70);
  create table if not exists bench_limit.postings (
    number bigint generated always as identity primary key, operation_id uuid not null, debit bigint not null,
    credit bigint not null, amount bigint not null, created_at timestamptz not null
  );
  create table if not exists bench_limit.events (
    id uuid primary key, operation_id uuid not null, payload text not null, digest bytea not null,
    created_at timestamptz not null
  );
  create table if not exists bench_limit.deliveries (
    event_id uuid primary key, url text not null, state text not null, finished_at timestamptz
  ) with (fillfactor = 70);
  create table if not exists bench_limit.requests (
    number bigint generated always as identity primary key, packed bytea not null
  )`

const openSql = `
  with key as (
    insert into bench_limit.keys (key, operation_id, fingerprint)
    select key, id, fingerprint from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as row (key, id, fingerprint)
  )
  insert into bench_limit.operations (
    id, wallet_id, type, status, method, amount, card, callback, created_at, modified_at
  )
  select id, 1, 'PAYMENT', 'PENDING', 'CC', amount, '{"last4": "0027", "type": "visa"}', callback, $6, $6
  from unnest($2::uuid[], $4::bigint[], $5::text[]) as row (id, amount, callback)`

const settleSql = `
  with input as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::text[])
      as row (id, event_id, key, payload, digest, answer)
  ), moved as (
    update bench_limit.operations set status = 'COMPLETED', fee = -25, modified_at = $7
    from input where operations.id = input.id and status = 'PENDING'
    returning operations.id, operations.amount, operations.callback
  ), posting as (
    insert into bench_limit.postings (operation_id, debit, credit, amount, created_at)
    select id, 1, side.credit, side.amount, $7
    from moved cross join lateral (values (2, amount - 25), (3, 25)) as side (credit, amount)
  ), event as (
    insert into bench_limit.events (id, operation_id, payload, digest, created_at)
    select event_id, id, payload, digest, $7 from input join moved using (id)
  ), kept as (
    update bench_limit.keys set answer = input.answer from input where keys.key = input.key
  )
  insert into bench_limit.deliveries (event_id, url, state)
  select event_id, callback, 'SENDING' from input join moved using (id)`

const deliveredSql = `
  update bench_limit.deliveries set state = 'DELIVERED', finished_at = $2
  from unnest($1::uuid[]) as input (id) where event_id = input.id`

const logSql = 'insert into bench_limit.requests (packed) values ($1)'

const groupMax = 128
const inFlightMax = 2
const logFlushMs = 1000
const secret = randomBytes(32)

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 6 })
await pool.query(tables)

/** Gives all waiting items to `work` as one group. While two groups run, the next one fills. */
function batches<Item>(work: (group: readonly Item[]) => Promise<void>): (item: Item) => void {
  let waiting: Item[] = []
  let inFlight = 0
  let isPlanned = false
  const start = () => {
    isPlanned = false
    while (waiting.length > 0 && inFlight < inFlightMax) {
      const group = waiting.slice(0, groupMax)
      waiting = waiting.slice(groupMax)
      inFlight += 1
      void work(group).finally(() => {
        inFlight -= 1
        start()
      })
    }
  }
  return (item) => {
    waiting.push(item)
    if (isPlanned) return
    isPlanned = true
    setImmediate(start)
  }
}

const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })

const open = batches<Payment>(async (group) => {
  await run('open', openSql, [
    group.map(({ key }) => key),
    group.map(({ id }) => id),
    group.map(({ id }) => createHash('sha256').update(id).digest()),
    group.map(({ amount }) => amount),
    group.map(({ callback }) => callback),
    new Date(),
  ])
  for (const payment of group) settle(payment)
})

const settle = batches<Payment>(async (group) => {
  const payloads = group.map(({ id, amount }) =>
    JSON.stringify({ operation_id: id, event: 'COMPLETED', amount: amount / 100, user: 1 }),
  )
  await run('settle', settleSql, [
    group.map(({ id }) => id),
    group.map(({ event }) => event),
    group.map(({ key }) => key),
    payloads,
    payloads.map((payload) => createHash('sha256').update(payload).digest()),
    group.map(({ id }) => `{"id":"${id}","status":"COMPLETED"}`),
    new Date(),
  ])
  for (const [index, payment] of group.entries()) {
    payment.answer('COMPLETED')
    send({ ...payment, payload: payloads[index] ?? '' })
  }
})

const delivered = batches<string>(async (events) => {
  await run('delivered', deliveredSql, [events, new Date()])
})

const idle: Socket[] = []

function send({ event, callback, payload }: Payment & { readonly payload: string }): void {
  const { hostname, port, pathname } = new URL(callback)
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${event}.${timestamp}.${payload}`).digest('base64')
  const socket = idle.pop() ?? connect({ host: hostname, port: Number(port), noDelay: true })
  socket.once('data', () => {
    idle.push(socket)
    delivered(event)
  })
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n` +
      `webhook-id: ${event}\r\nwebhook-timestamp: ${timestamp}\r\nwebhook-signature: v1,${signature}\r\n` +
      `content-length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`,
  )
}

let logged: string[] = []
setInterval(() => {
  if (logged.length === 0) return
  const packed = zstdCompressSync(logged.join('\n'))
  logged = []
  void run('log', logSql, [packed])
}, logFlushMs).unref()

function answer(socket: Socket, head: string, body: string): void {
  const { amount, callback } = JSON.parse(body)
  const payment: Payment = {
    id: randomUUID(),
    event: randomUUID(),
    key: randomUUID(),
    amount: Math.round(amount * 100),
    at: Date.now(),
    callback,
    answer(status) {
      const text = JSON.stringify({
        id: payment.id,
        status,
        amount,
        currency: 'EUR',
        method: 'CC',
        type: 'PAYMENT',
      })
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      )
      logged.push(
        JSON.stringify({
          at: payment.at,
          ms: Date.now() - payment.at,
          head: head.split('\r\n')[0],
          body,
          text,
        }),
      )
    },
  }
  open(payment)
}

serve(answer)
