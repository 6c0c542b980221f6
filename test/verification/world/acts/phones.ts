// Payments by phone, mandates, and answers of phone owners.
import type { Chance } from '../../chance.ts'
import { ask } from '../ask.ts'
import type { Json } from '../notes.ts'
import { type Act, earlier, remember, someCents, someMerchant, type World, written } from '../world.ts'
import { markerOf } from './parts.ts'
import { sandbox } from './sandbox.ts'

function somePhone(chance: Chance): string {
  const end = chance.happens(0.05) ? '99' : String(chance.below(90)).padStart(2, '0')
  return `+3519${chance.pick([1, 2, 3, 6])}${String(chance.below(100_000)).padStart(5, '0')}${end}`
}

export async function answerOnPhone(world: World, phone: string, chance: Chance): Promise<void> {
  const { requests = [], mandates = [] } = (await sandbox(world, 'GET', `phones/${phone}`)) ?? {}
  for (const { id } of requests.filter(({ state }: Json) => state === 'PENDING')) {
    const terms = chance.happens(0.3) ? { amount_limit: 10 + chance.below(200) } : {}
    const [word, body] = chance.happens(0.8) ? ['approve', terms] : ['refuse', {}]
    await sandbox(world, 'POST', `phones/${phone}/requests/${id}/${word}`, body)
  }
  if (mandates.length > 0 && chance.happens(0.3)) {
    const { mandate_id } = chance.pick(mandates) as Json
    const change = chance.pick(['update', 'suspend', 'resume', 'resume', 'cancel'])
    const terms = change === 'update' ? { amount_limit: 5 + chance.below(300) } : {}
    await sandbox(world, 'POST', `phones/${phone}/mandates/${mandate_id}/${change}`, terms)
  }
}

const answerPhone: Act = async (world, step, chance) => {
  const phone = earlier(world, 'phone', step)
  if (phone !== undefined) await answerOnPhone(world, phone.id, chance)
}

const payByPhone: Act = async (world, step, chance) => {
  const mandate = chance.happens(0.4) ? earlier(world, 'mandate', step) : undefined
  const merchant = mandate?.merchant ?? someMerchant(world, chance)
  const phone = earlier(world, 'phone', step)?.id ?? somePhone(chance)
  const type = chance.happens(0.7) ? 'PAYMENT' : 'AUTH'
  const cents = someCents(chance)
  const marker = markerOf(step, 'phone')
  const body = {
    method: 'MBWAY',
    type,
    amount: written(cents, chance),
    currency: 'EUR',
    ext_invoiceid: marker,
    ...(mandate === undefined ? { mbway: { phone } } : { mandate_id: mandate.id }),
  }
  const answer = await ask(
    world,
    merchant,
    { verb: 'pay by phone', method: 'POST', path: '/api/v2/payment', body, makes: true, marker },
    chance,
  )
  if (answer?.body?.id === undefined) return
  remember(world, type === 'AUTH' ? 'authorization' : 'operation', {
    id: answer.body.id,
    merchant,
    more: { cents },
  })
  remember(world, 'phone', { id: phone, merchant, more: {} })
  if (chance.happens(0.7)) await answerOnPhone(world, phone, chance)
}

const askForMandate: Act = async (world, step, chance) => {
  const merchant = someMerchant(world, chance)
  const phone = somePhone(chance)
  const type = chance.happens(0.5) ? 'ONECLICK' : 'SUBSCRIPTION'
  const body = { phone, type, name: markerOf(step, 'mandate'), url_callback: world.callbackUrl(merchant) }
  const answer = await ask(
    world,
    merchant,
    { verb: 'ask for mandate', method: 'POST', path: '/api/v2/mandate/mbway', body, makes: true },
    chance,
  )
  const { mandate_id, subscription_id } = answer?.body ?? {}
  if (mandate_id === undefined) return
  remember(world, 'phone', { id: phone, merchant, more: {} })
  remember(world, 'mandate', { id: mandate_id, merchant, more: { phone } })
  if (subscription_id !== undefined)
    remember(world, 'subscription', { id: subscription_id, merchant, more: { cents: 10_000 } })
  if (chance.happens(0.8)) await answerOnPhone(world, phone, chance)
}

const readMandate: Act = async (world, step, chance) => {
  const mandate = earlier(world, 'mandate', step)
  if (mandate === undefined) return
  const method = chance.happens(0.15) ? 'DELETE' : 'GET'
  const verb = method === 'GET' ? 'read mandate' : 'delete mandate'
  await ask(world, mandate.merchant, { verb, method, path: `/api/v2/mandate/mbway/${mandate.id}` }, chance)
}

export const phoneActs = { answerPhone, payByPhone, askForMandate, readMandate } as const satisfies Record<
  string,
  Act
>
