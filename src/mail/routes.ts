// Routes of a merchant's mail: switches and deliveries.
import { Type } from 'typebox'
import { type App, answers, callerOf, idOf, idParameter, listOf, parsePage } from '../http/index.ts'
import { deny, ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import type { Core } from '../module.ts'
import { type MailKind, mailKinds, mailStates } from './model.ts'
import {
  kindExample,
  kindOnWire,
  kindSchema,
  kindsSchema,
  mailExample,
  mailOnWire,
  mailQuery,
  mailSchema,
  switchBody,
} from './schemas.ts'
import { findMail, listMails, setSwitch, switchesOf } from './store.ts'

const path = '/api/v2/mails'
const auth = { permission: 'mail' } as const
const listSchema = listOf(mailSchema, 'MailList', 'A page of mails.')
const kindParameter = Type.Object({
  kind: Type.String({ description: `Kind of mail: one of ${mailKinds.join(', ')}.`, examples: ['receipt'] }),
})
const notConfigured =
  'this gateway sends no mail: ask the operator to set SMTP_URL and MAIL_FROM, then turn it on again'

export interface MailRoutesDeps extends Pick<Core, 'database' | 'clock'> {
  readonly isConfigured: boolean
}

export function mailRoutes(deps: MailRoutesDeps): (app: App) => void {
  const { database } = deps
  return (app) => {
    switchRoutes(deps, app)

    app.get(
      path,
      {
        config: { auth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listMails',
          summary: 'List mails, newest first',
          description:
            'The mails of your wallet that match all filters: with status and reason. Mails are kept for 90 days after they end.',
          tags: ['Mail'],
          querystring: mailQuery,
          response: answers(listSchema, { total: 1, elements: [mailExample] }),
        },
      },
      async (request) => {
        const { status, kind, subject_id } = request.query
        const page = unwrap(parsePage(request.query))
        const states = unwrap(wordsOf('status', status, mailStates))
        const kinds = unwrap(wordsOf('kind', kind, mailKinds))
        const subject = subject_id === undefined ? undefined : unwrap(idOf(subject_id, 'subject'))
        const { walletId } = callerOf(request)
        const { total, mails } = await listMails(database, walletId, { states, kinds, subject }, page)
        return { total, elements: mails.map(mailOnWire) as never }
      },
    )

    app.get(
      `${path}/:id`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'getMail',
          summary: 'Read a mail',
          description: 'Its status, its attempts and the answer of the mail server. Not its text.',
          tags: ['Mail'],
          params: idParameter('mail'),
          response: answers(mailSchema, mailExample),
        },
      },
      async (request) => {
        const id = unwrap(idOf(request.params.id, 'mail'))
        const found = await findMail(database, callerOf(request).walletId, id)
        return mailOnWire(found ?? deny('not_found', `there is no mail ${id}`)) as never
      },
    )
  }
}

function switchRoutes({ database, clock, isConfigured }: MailRoutesDeps, app: App): void {
  app.get(
    `${path}/kinds`,
    {
      config: { auth },
      schema: {
        operationId: 'listMailKinds',
        summary: 'List the kinds of mail with their switches',
        description: 'Mail to customers is off until you turn it on.',
        tags: ['Mail'],
        response: answers(kindsSchema, { total: 1, elements: [kindExample] }),
      },
    },
    async (request) => {
      const switches = await switchesOf(database, callerOf(request).walletId)
      const elements = mailKinds.map((kind) => kindOnWire(kind, isConfigured && switches[kind]))
      return { total: elements.length, elements }
    },
  )

  app.put(
    `${path}/kinds/:kind`,
    {
      config: { auth, refusals: ['missing_parameter', 'invalid_parameter', 'not_found', 'illegal_state'] },
      schema: {
        operationId: 'setMailKind',
        summary: 'Turn a kind of mail on or off',
        description: 'Applies to later events. Waiting mails of a kind that you turn off are not sent.',
        tags: ['Mail'],
        params: kindParameter,
        body: switchBody,
        response: answers(kindSchema, kindExample),
      },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      const kind = kindOf(request.params.kind)
      const { enabled } = request.body
      if (enabled && !isConfigured) return deny('illegal_state', notConfigured)
      const before = (await switchesOf(database, walletId))[kind]
      await setSwitch(database, { walletId, kind, isOn: enabled, at: clock.now() })
      request.changes = [{ field: `mail ${kind}`, old: inWords(before), new: inWords(enabled) }]
      return kindOnWire(kind, enabled)
    },
  )
}

function inWords(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function kindOf(text: string): MailKind {
  return (
    mailKinds.find((kind) => kind === text.toLowerCase()) ??
    deny('not_found', `there is no kind of mail with this name: use one of ${mailKinds.join(', ')}`)
  )
}

function wordsOf<Word extends string>(
  field: string,
  asked: string | readonly string[] | undefined,
  known: readonly Word[],
): Result<readonly Word[] | undefined> {
  if (asked === undefined) return ok(undefined)
  const read: Word[] = []
  for (const text of [asked].flat()) {
    const word = known.find((one) => one.toLowerCase() === text.toLowerCase())
    if (word === undefined) return refuse('invalid_parameter', `${field} must be one of ${known.join(', ')}`)
    read.push(word)
  }
  return ok(read)
}
