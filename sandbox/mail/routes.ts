// Routes of the post box: pages and JSON.
import { Type } from 'typebox'
import { type App, type AppRequest, dateOnWire } from '../../src/http/index.ts'
import { isFromThisMachine } from '../../src/http/observe/metrics-access.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { deny } from '../../src/kernel/result.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import { after, type Clock, day } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'
import type { BoxedMail } from './model.ts'
import { boxPage, idOfMail, mailPage, mailPath } from './page.ts'
import { dropBoxed, findBoxed, listBoxed } from './store.ts'

const listedMax = 100
const keptDays = 30
const withId = { schema: { hide: true, params: Type.Object({ id: Type.String() }) } } as const
const jsonQuery = Type.Object({ to: Type.Optional(Type.String()) })
/** The page of a mail may use the mail's own styles, and nothing else. */
const htmlPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function mailRoutes({
  database,
  keyring,
  clock,
}: {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
}): (app: App) => void {
  async function find(request: AppRequest, id: string): Promise<BoxedMail | undefined> {
    const mail = isUuid(id) ? await findBoxed(database, keyring, id.toLowerCase()) : undefined
    return mail?.opensAccount && !isFromThisMachine(request) ? undefined : mail
  }

  async function list(request: AppRequest, to?: string): Promise<BoxedMail[]> {
    await dropBoxed(database, after(clock.now(), -keptDays * day))
    return listBoxed(database, keyring, to, listedMax, isFromThisMachine(request))
  }

  return (app) => {
    app.get(
      '/sandbox/api/mail',
      { ...sandboxJson, schema: { hide: true, querystring: jsonQuery } },
      async (request) => {
        const mails = await list(request, request.query.to)
        return { total: mails.length, elements: mails.map(onWire) }
      },
    )

    app.get('/sandbox/api/mail/:id', { ...sandboxJson, ...withId }, async (request) => {
      const mail = await find(request, request.params.id)
      return onWire(mail ?? deny('not_found', 'the post box has no such mail'))
    })

    app.get(mailPath, sandboxPage, async (request, reply) =>
      sendPage(reply, boxPage(await list(request), languageFor(request))),
    )

    app.get(`${mailPath}/:id`, { ...sandboxPage, ...withId }, async (request, reply) => {
      const mail = await find(request, request.params.id)
      return sendPage(reply.code(mail === undefined ? 404 : 200), mailPage(mail, languageFor(request)))
    })

    app.get(`${mailPath}/:id/html`, { ...sandboxPage, ...withId }, async (request, reply) => {
      const mail = await find(request, request.params.id)
      if (mail === undefined) return sendPage(reply.code(404), mailPage(mail, languageFor(request)))
      return reply
        .headers({
          'content-security-policy': htmlPolicy,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
        .type('text/html; charset=utf-8')
        .send(mail.html)
    })
  }
}

function onWire(mail: BoxedMail) {
  const { messageId, recipient, subject, text, html, times, takenAt } = mail
  const headers = mail.headers.split('\n').map((line) => line.split(/:\s*(.*)/s) as [string, string])
  return {
    ...{ id: idOfMail(mail), message_id: messageId, to: recipient, subject, text, html, times },
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    date: dateOnWire(takenAt),
  }
}
