// A player of BIZUM: the bank's app as a page and as JSON.
import { deny } from '../../src/kernel/result.ts'
import { fieldsOf } from '../body-fields.ts'
import { createDecide } from '../online-wallet/decide.ts'
import { createOnlineWallet } from '../online-wallet/rail.ts'
import { findLatestKey, findOrder } from '../online-wallet/store.ts'
import type { CreatePlayer } from '../player.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'

const path = '/sandbox/bizum'

export const playBizum: CreatePlayer = (context) => ({
  onlineWallets: { BIZUM: createOnlineWallet(context, path) },
  routes({ notices }) {
    const decide = createDecide(context.database, notices)
    const decideBy = (key: string, answer: unknown) =>
      decide(key, answer === 'approve' ? { kind: 'agree', payer: 'bizum' } : { kind: 'cancel' })
    return [
      (app) => {
        app.get(`${path}/:key`, sandboxPage, (_request, reply) => {
          const button = (answer: string) => `<button name="answer" value="${answer}">${answer}</button>`
          const form = `<form method="post">${button('approve')}${button('cancel')}</form>`
          return reply.type('text/html').send(`<!doctype html><title>Bizum</title>${form}`)
        })
        app.post(`${path}/:key`, sandboxPage, async ({ params, body }, reply) => {
          const { key } = params as { key: string }
          await decideBy(key, fieldsOf(body).answer)
          const order = await findOrder(context.database, key, context.clock.now())
          return reply.redirect(order?.returnUrl ?? path, 303)
        })
        app.post('/sandbox/api/bizum/:id/:answer', sandboxJson, async ({ params }) => {
          const { id, answer } = params as { id: string; answer: string }
          const key = await findLatestKey(context.database, id)
          if (key === undefined || !(await decideBy(key, answer)))
            return deny('illegal_state', 'no open order')
          return { operation_id: id, answer }
        })
      },
    ]
  },
})
