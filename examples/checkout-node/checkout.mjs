// A hosted checkout from Node without packages.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { COMPORTA_URL, COMPORTA_API_KEY, COMPORTA_SIGNING_SECRET, PORT = '3001' } = process.env
if (!COMPORTA_URL || !COMPORTA_API_KEY || !COMPORTA_SIGNING_SECRET) {
  console.error('Set COMPORTA_URL, COMPORTA_API_KEY and COMPORTA_SIGNING_SECRET: see README.md')
  process.exit(1)
}
const shopUrl = `http://localhost:${PORT}`
const price = '12.50'
const bodyBytesMax = 100_000
const signatureAgeMaxSeconds = 300

/** Payments from callbacks, by operation id. Use a table of your database. */
const payments = new Map()
/** The last event that was read. */
let cursor = ''
/** Final statuses. */
const ended = new Set(['COMPLETED', 'FAIL', 'VOIDED'])

const pages = {
  'GET /': showGoods,
  'POST /pay': pay,
  'GET /return': showResult,
  'POST /callbacks': receiveCallback,
  // For comporta exam. Keep these two away from strangers.
  'GET /state': showState,
  'POST /resync': readEvents,
}

createServer(async (request, response) => {
  if (!URL.canParse(request.url, shopUrl)) return send(response, 400, 'The address is wrong.')
  const url = new URL(request.url, shopUrl)
  try {
    const page = pages[`${request.method} ${url.pathname}`]
    if (page === undefined) return send(response, 404, 'There is no such page.')
    await page(request, response, url.searchParams)
  } catch (error) {
    console.error(error)
    send(response, 500, 'Something went wrong. Try again.')
  }
}).listen(Number(PORT), 'localhost', () => {
  console.log(`Open ${shopUrl}`)
  readEvents().catch(console.error)
})

function showGoods(_request, response) {
  send(response, 200, `<form method="post" action="/pay"><button>Pay ${price} EUR</button></form>`)
}

/** Creates a checkout and sends the customer to it. */
async function pay(_request, response) {
  const checkout = await ask('POST', '/api/v2/checkout', {
    payment: { amount: price, currency: 'EUR', ext_invoiceid: `ORDER-${randomUUID().slice(0, 8)}` },
    url_confirm: `${shopUrl}/return`,
    url_cancel: `${shopUrl}/return`,
    // A repeated request with this id creates nothing twice.
    request_id: randomUUID(),
  })
  response.writeHead(303, { location: checkout.url_redirect }).end()
}

/** The return of the browser proves nothing: ask the gateway. */
async function showResult(_request, response, query) {
  const id = query.get('checkoutid') ?? ''
  const { payment } = await ask('GET', `/api/v2/checkout/${encodeURIComponent(id)}`)
  const paid = payment.status === 'COMPLETED' ? 'Paid, thank you.' : `Not paid: ${payment.status}.`
  send(response, 200, `<p>${paid}</p><p>Callback: ${payments.get(payment.id)?.status ?? 'none yet'}</p>`)
}

async function receiveCallback(request, response) {
  const body = await bodyOf(request)
  if (!isGenuine(request.headers, body)) return send(response, 400, 'The signature is wrong.')
  note(JSON.parse(body.toString()) ?? {})
  send(response, 200, 'Received.')
}

/** Callbacks can arrive twice and in any order: a refund even before its payment. */
function note({ type, operation_id: id, parent_operation_id: parent, operation_status: status, amount }) {
  const isRefund = type === 'REFUND' && status === 'COMPLETED'
  if (type !== 'PAYMENT' && !isRefund) return
  const payment = payments.get(isRefund ? parent : id) ?? { refunds: new Map() }
  payments.set(isRefund ? parent : id, payment)
  // The same refund counts once. Its amount is negative.
  if (isRefund) payment.refunds.set(id, -cents(amount))
  // A final status never changes.
  else if (!ended.has(payment.status)) Object.assign(payment, { status, amount: cents(amount) })
}

/** Reads the events after the last one: callbacks can be lost while the program is down. */
async function readEvents(_request, response) {
  for (let more = true; more; ) {
    const page = await ask('GET', `/api/v2/events?after=${cursor}`)
    for (const { body } of page.events) note(body)
    cursor = page.next
    more = page.more
  }
  if (response) send(response, 200, 'Read.')
}

function showState(_request, response) {
  const known = [...payments].filter(([, { status }]) => status !== undefined)
  const operations = known.map(([id, { status, amount, refunds }]) => {
    const refunded = [...refunds.values()].reduce((sum, refund) => sum + refund, 0)
    return [id, { status, amount: amount / 100, refunded: refunded / 100 }]
  })
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ operations: Object.fromEntries(operations) }))
}

function cents(amount) {
  return Math.round(amount * 100)
}

/** Checks the signature (Standard Webhooks). During a change of the secret there are two signatures. */
function isGenuine(headers, body) {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= signatureAgeMaxSeconds)) return false
  const key = Buffer.from(COMPORTA_SIGNING_SECRET.replace(/^whsec_/, ''), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const wanted = Buffer.from(`v1,${digest}`)
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted))
}

async function ask(method, path, body) {
  const response = await fetch(COMPORTA_URL + path, {
    method,
    headers: { authorization: `Comporta ${COMPORTA_API_KEY}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(35_000),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.code} ${answer.reason} (${answer.tid})`)
  return answer
}

async function bodyOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(response, status, html) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}
