// Acts of customers: checkout page, issuer, phone, ATM, PayPal, bank.
import type { Chance } from '../../chance.ts'
import { parsed } from '../ask.ts'
import type { Json } from '../notes.ts'
import { formTo, openPage, type Page, submit } from '../pages.ts'
import { type Act, earlier, remember, type Thing, type World } from '../world.ts'
import { ibans } from './parts.ts'
import { answerOnPhone } from './phones.ts'
import { sandbox } from './sandbox.ts'

const codes: Readonly<Record<string, string>> = { '4176660000000092': '0101', '5299910010000015': '4445' }
const goodCards = ['4176660000000027', '5299990270000368', '378282246310005', ...Object.keys(codes)]
const strangeCards = [
  '4000000000000002',
  '4000000000009995',
  '4000000000000069',
  '4000000000003063',
  '4000000000009987',
  '4000000000000119',
  '4000000000000259',
  '4000000000000341',
  '4000000000000358',
]
const pagesMax = 8

export function someCard(chance: Chance): string {
  return chance.pick(chance.happens(0.7) ? goodCards : strangeCards)
}

export async function passIssuer(world: World, address: string, chance: Chance): Promise<void> {
  const page = await openPage(world.wire, address)
  if (page !== undefined) await followIssuer(world, page, chance)
}

async function followIssuer(world: World, first: Page, chance: Chance): Promise<void> {
  let page: Page | undefined = first
  for (let step = 0; step < pagesMax && page !== undefined; step++) {
    const form: Page['forms'][number] | undefined = page.forms.find(({ action }) =>
      /\/bank\b|\/challenge\b|\/secure\/|\/3ds\/return\//.test(action),
    )
    if (form === undefined) return
    const otp = chance.happens(0.9) ? chance.pick(Object.values(codes)) : '9999'
    page = await submit(world.wire, page, form, 'otp' in form.fields ? { otp } : {})
  }
}

type Choice = readonly [part: string, fields: Json]

export function savedCard(chance: Chance): Choice {
  return ['/card', { ...typedCard(chance), save: 'yes' }]
}

function typedCard(chance: Chance): Json {
  const number = someCard(chance)
  const vcode = number.startsWith('3') ? '1234' : '123'
  return { number, name: 'Ana Silva', expiry: '12 / 34', vcode }
}

function choice(world: World, chance: Chance): Choice {
  const consumer =
    world.consumers.length > 0 ? chance.pick(world.consumers) : { email: 'nobody@example.com', pin: '0' }
  const phone = `+3519${chance.pick([1, 2, 3, 6])}${String(chance.below(10_000_000)).padStart(7, '0')}`
  const card = typedCard(chance)
  const pin = chance.happens(0.95) ? consumer.pin : '0000'
  return chance.pick([
    ['/card', card],
    ['/card', card],
    ['/card', card],
    ['/mbway', { phone }],
    ['/mb', {}],
    ['/paypal', {}],
    ['/wallet', { email: consumer.email, pin }],
    ['/sepa', { holder: 'Ana Sousa', iban: chance.pick(ibans) }],
  ] as const)
}

const payOnPage: Act = async (world, step, chance) => {
  const checkout = earlier(world, 'checkout', step)
  if (checkout !== undefined) await payAt(world, checkout, chance)
}

export async function payAt(
  world: World,
  checkout: Thing,
  chance: Chance,
  wanted: Choice | undefined = undefined,
): Promise<void> {
  const page = await openPage(world.wire, checkout.more.url)
  if (page === undefined) return
  const chosen = wanted ?? choice(world, chance)
  const [part, fields] = chance.happens(0.06) ? (['/cancel', {}] as const) : chosen
  // Saved cards and mandates have forms of their own.
  const forms = page.forms.filter(({ action }) => action.includes(`${part}?`))
  const form = forms.length > 0 ? chance.pick(forms) : (formTo(page, '/card') ?? formTo(page, '/delivery'))
  if (form === undefined) return
  const isDouble = chance.happens(0.1)
  const [next] = await Promise.all([
    submit(world.wire, page, form, fields),
    ...(isDouble ? [submit(world.wire, page, form, fields)] : []),
  ])
  const { operation } = checkout.more
  if (part === '/mbway') remember(world, 'phone', { id: fields.phone, merchant: checkout.merchant, more: {} })
  if (part === '/paypal' && operation !== undefined) remember(world, 'order', { ...checkout, id: operation })
  if (part === '/sepa' && operation !== undefined) remember(world, 'debit', { ...checkout, id: operation })
  if (part === '/mb') await noteReference(world, checkout)
  if (next !== undefined && chance.happens(0.92)) await followIssuer(world, next, chance)
  if (part === '/mbway' && chance.happens(0.6)) await answerOnPhone(world, fields.phone, chance)
}

async function noteReference(world: World, { more, merchant }: Json): Promise<void> {
  if (more.operation === undefined) return
  const headers = { authorization: `Comporta ${merchant.api_key}` }
  const answer = await world.wire.send({
    method: 'GET',
    path: `/api/v2/operations/${more.operation}`,
    headers,
  })
  const { mb, amount } = parsed(answer?.text ?? '') ?? {}
  if (mb !== undefined)
    remember(world, 'reference', { id: mb.ref, merchant, more: { ...mb, cents: Math.round(amount * 100) } })
}

const payAtAtm: Act = async (world, step, chance) => {
  const reference = earlier(world, 'reference', step)
  if (reference === undefined) return
  const { entity, ref, cents, centsMax = cents } = reference.more
  const right = cents + chance.below(centsMax - cents + 1)
  const typed = { entity, ref, amount: (chance.happens(0.85) ? right : right + 1) / 100 }
  const times = chance.happens(0.1) ? 2 : 1
  const pay = async () => {
    const answer = await sandbox(world, 'POST', 'references/pay', typed)
    if (answer !== undefined) world.witness.paidAtAtm(typed, answer)
  }
  await Promise.all(Array.from({ length: times }, pay))
}

const decideAtPayPal: Act = async (world, step, chance) => {
  const order = earlier(world, 'order', step)
  if (order === undefined) return
  const decision = chance.pick(['approve', 'approve', 'approve', 'cancel', 'reverse', 'reinstate'])
  const email = chance.pick([
    'ana@example.com',
    'ana@example.com',
    'empty@onda.example',
    'silent@onda.example',
  ])
  await sandbox(
    world,
    'POST',
    `online-wallet/${order.id}/${decision}`,
    decision === 'approve' ? { email } : {},
  )
}

const decideAtBank: Act = async (world, step, chance) => {
  const debit = earlier(world, 'debit', step)
  if (debit === undefined) return
  const outcome = chance.happens(0.8) ? 'paid' : 'returned'
  await sandbox(world, 'POST', `sepa/${debit.id}/settle`, { outcome })
}

/** The payer of a reference names an account, sometimes in two browsers at once. */
const nameAccount: Act = async (world, step, chance) => {
  const page = earlier(world, 'refundPage', step)
  const form = page && (await openPage(world.wire, page.more.url))
  const [fields] = form?.forms ?? []
  if (form === undefined || fields === undefined) return
  const name = (iban: string) =>
    submit(world.wire, form, fields, { holder: 'Ana Sousa', iban, step: 'confirm' })
  await Promise.all([name(chance.pick(ibans)), ...(chance.happens(0.2) ? [name(chance.pick(ibans))] : [])])
}

export const customerActs = {
  payOnPage,
  payAtAtm,
  decideAtPayPal,
  decideAtBank,
  nameAccount,
} as const satisfies Record<string, Act>
