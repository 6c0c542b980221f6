// Paths by card: checkout, card API, authorizations, refunds.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { authorizing } from '../../authorizing.ts'
import { openPage } from '../../browserless.ts'
import { askToPay, payByToken } from '../../stored-cards.ts'
import { cards, type Json } from '../../world.ts'
import { allAre, answeredAlike, ended, type Path } from './path.ts'

export const cardPaths = {
  'checkout by card with 3-D Secure': {
    step: 'PT1M',
    async begin(world) {
      const checkout = await world.createCheckout()
      return {
        async go() {
          const { forms } = await openPage(checkout.url_redirect)
          if (forms.some(({ action }) => action.includes('/card')))
            await world.payOnPage(checkout, cards.challenge)
        },
        isOver: async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED',
        pays: checkout.payment.id,
      }
    },
  },
  'card API payment': {
    step: 'PT1M',
    async begin(world, token) {
      const asked = { request_id: randomUUID(), ext_invoiceid: `P-${randomUUID()}` }
      const first = answeredAlike()
      return {
        go: async () => first(await askToPay(world, token, asked)),
        async isOver() {
          const { body } = await world.shop.get(`/api/v2/operations?ext_invoiceid=${asked.ext_invoiceid}`)
          expect(body.total).toBeLessThanOrEqual(1)
          return ended.includes(body.elements[0]?.status)
        },
      }
    },
  },
  'authorization, release and capture': {
    step: 'PT1M',
    async begin(world, token) {
      const shop = authorizing(() => world)
      const [hold, capture, release] = [randomUUID(), randomUUID(), randomUUID()]
      let held: Json
      let isAnswered = false
      return {
        async go() {
          held ??= await shop.authorize(token, 10, { request_id: hold }).catch(unlessInFlight)
          if (held === undefined) return
          if (held.status !== 'COMPLETED') held = await shop.read(held.id)
          if (held.status !== 'COMPLETED') return
          const answers = [
            await shop.release(held.id, { amount: 3, request_id: release }),
            await shop.capture(held.id, { amount: 4, request_id: capture }),
          ]
          isAnswered = answers.every(({ status }) => [200, 402, 503].includes(status))
        },
        async isOver() {
          if (held === undefined) return false
          const { status, captures, releases } = await shop.read(held.id)
          expect([captures.length, releases.length].every((count) => count <= 1)).toBe(true)
          return status === 'FAIL' || (isAnswered && allAre(ended, [...captures, ...releases]))
        },
      }
    },
  },
  refund: {
    step: 'PT1M',
    async begin(world, token) {
      const { id } = await payByToken(world, token)
      const asked = { amount: 4, request_id: randomUUID() }
      const first = answeredAlike()
      return {
        go: async () => first(await world.shop.post(`/api/v2/operations/${id}/refund`, asked)),
        async isOver() {
          const refunds = (await world.shop.get('/api/v2/operations?type=REFUND&limit=30')).body.elements
          const own = refunds.filter(({ parent }: Json) => parent === id)
          expect(own.length).toBeLessThanOrEqual(1)
          return own.length === 1 && allAre(ended, own)
        },
      }
    },
  },
  'checkout whose first card is declined': {
    step: 'PT1M',
    async begin(world) {
      const checkout = await world.createCheckout()
      let isDeclined = false
      return {
        async go() {
          const { forms } = await openPage(checkout.url_redirect)
          if (!forms.some(({ action }) => action.includes('/card'))) return
          const page = await world.payOnPage(checkout, isDeclined ? cards.frictionless : cards.declined)
          isDeclined ||= page.forms.some(({ action }) => action.includes('/card'))
        },
        isOver: async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED',
        pays: checkout.payment.id,
      }
    },
  },
} as const satisfies Record<string, Path>

function unlessInFlight(error: Error): void {
  if (!error.message.includes('10014')) throw error
}
