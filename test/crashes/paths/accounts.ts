// Paths by phone, reference, subscription and bank.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { formTo, openPage, submit } from '../../browserless.ts'
import { moneyOf } from '../../money.ts'
import { newPhone } from '../../phone.ts'
import { subscribersOf } from '../../subscribers.ts'
import type { Json, World } from '../../world.ts'
import { allAre, answeredAlike, ended, type Path, postTo } from './path.ts'

export const accountPaths = {
  'payment by phone': {
    step: 'PT1M',
    async begin(world) {
      const phone = newPhone(world)
      const asked = { method: 'MBWAY', type: 'PAYMENT', amount: 7, currency: 'EUR', request_id: randomUUID() }
      const first = answeredAlike()
      const operations = async (): Promise<Json[]> => {
        const encoded = encodeURIComponent(phone.number)
        return (await world.shop.get(`/api/v2/operations?method=MBWAY&phone=${encoded}`)).body.elements
      }
      return {
        async go() {
          first(await world.shop.post('/api/v2/payment', { ...asked, mbway: { phone: phone.number } }))
          for (const { id, state } of await phone.requests()) if (state === 'PENDING') await phone.approve(id)
        },
        async isOver() {
          const made = await operations()
          expect(made.length).toBeLessThanOrEqual(1)
          return made.length === 1 && allAre(ended, made)
        },
      }
    },
  },
  'reference payment': {
    step: 'PT1M',
    async begin(world) {
      const asked = { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT' }
      const { id, mb } = (await world.shop.post('/api/v2/mb/pay', asked)).body
      const payment_id = randomUUID()
      return {
        go: () => postTo(world, '/sandbox/api/references/pay', { ...mb, amount: 10, payment_id }),
        isOver: async () => (await world.operation(id)).status === 'COMPLETED',
        pays: id,
      }
    },
  },
  'charge of a subscription': {
    step: 'PT1M',
    async begin(world) {
      const subscribers = subscribersOf(world)
      const { id } = await subscribers.accepted()
      const ext_invoiceid = `S-${randomUUID()}`
      const asked = { payment: { amount: 10, currency: 'EUR', ext_invoiceid }, request_id: randomUUID() }
      const first = answeredAlike()
      let chargeId: string | undefined
      return {
        async go() {
          const answer = await world.shop.post(`/api/v2/subscriptions/${id}/charge`, asked)
          first(answer)
          if (answer.status === 200) chargeId = answer.body.id
        },
        async isOver() {
          const { total } = (await world.shop.get(`/api/v2/operations?ext_invoiceid=${ext_invoiceid}`)).body
          expect(total).toBeLessThanOrEqual(1)
          if (chargeId === undefined) return false
          return (await subscribers.chargeOf(id, chargeId)).status === 'SUCCESS'
        },
      }
    },
  },
  'payout with its bank file': {
    step: 'PT12H',
    async begin(world) {
      const { bank_reference: reference_text } = await moneyOf(world).funds()
      await postTo(world, '/sandbox/api/bank/transfer', { reference_text, amount: '5' })
      const request_id = randomUUID()
      let id: string | undefined
      return {
        async go() {
          const { status, body } = await world.shop.post('/api/v2/payouts', { amount: 5, request_id })
          if (status === 200) id = body.id ?? body.operation_id
          await world.cli('bank', 'files')
        },
        async isOver() {
          if (id === undefined) return false
          expect(timesInBankFiles(world, id)).toBeLessThanOrEqual(1)
          return (await world.operation(id)).status === 'COMPLETED' && timesInBankFiles(world, id) === 1
        },
      }
    },
  },
  'payment refused on the phone': {
    step: 'PT1M',
    async begin(world) {
      const phone = newPhone(world)
      const mbway = { phone: phone.number }
      const asked = { method: 'MBWAY', type: 'PAYMENT', amount: 7, currency: 'EUR', mbway }
      const request_id = randomUUID()
      let id: string | undefined
      return {
        async go() {
          const { status, body } = await world.shop.post('/api/v2/payment', { ...asked, request_id })
          if (status === 200) id = body.id
          for (const request of await phone.requests())
            if (request.state === 'PENDING') await phone.refuse(request.id)
        },
        isOver: async () => id !== undefined && (await world.operation(id)).status === 'FAIL',
      }
    },
  },
  'end of a subscription by phone': {
    step: 'PT13H',
    async begin(world) {
      const subscribers = subscribersOf(world)
      const checkout = await subscribers.checkout()
      const { id } = checkout.subscription
      const phone = newPhone(world)
      const page = await openPage(checkout.url_redirect)
      await submit(page, formTo(page, '/mbway'), { phone: phone.number })
      await phone.approve((await phone.pending()).id)
      await world.eventually(async () => (await subscribers.read(id)).status === 'APPROVED')
      return {
        go: async () => void (await world.shop.delete(`/api/v2/subscriptions/${id}`)),
        async isOver() {
          const isAllowed = (await phone.mandates()).some(({ state }) => state === 'ACTIVE')
          return (await subscribers.read(id)).status === 'VOIDED' && !isAllowed
        },
      }
    },
  },
} as const satisfies Record<string, Path>

function timesInBankFiles({ dataDir }: World, operationId: string): number {
  const folder = join(dataDir, 'bank')
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : []
  const mark = `<EndToEndId>${operationId.replaceAll('-', '')}</EndToEndId>`
  return names.reduce((sum, name) => sum + readFileSync(join(folder, name), 'utf8').split(mark).length - 1, 0)
}
