// The session of a person, and joining by a one-time link.
import { Type } from 'typebox'
import { type App, isFromOtherSite } from '../../http/index.ts'
import { deny, ok, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { factsOf, methods } from '../../methods/list.ts'
import { abilitiesOf } from '../access/role-rules.ts'
import { membershipsOf } from '../accounts/store.ts'
import {
  joinSchema,
  linkSchema,
  type SessionAnswer,
  sessionSchema,
  tokenSchema,
} from '../contract/session.ts'
import type { BackofficeParts } from '../parts.ts'

const methodsShown = methods.map((method): SessionAnswer['methods'][number] => {
  const { code, page, byDefault } = factsOf(method)
  return { code, page_place: page?.place ?? null, by_default: byDefault }
})

export function sessionRoutes(parts: BackofficeParts): (app: App) => void {
  const { database, guard, people, wallets, limits, devices, mode } = parts

  return (app) => {
    app.get(
      '/backoffice/api/session',
      {
        config: { people: { isPrivate: true } },
        schema: { summary: 'Read the session', response: { 200: sessionSchema } },
      },
      async ({ person }): Promise<SessionAnswer> => {
        if (person === undefined) return deny('authentication_required', 'sign in first')
        const memberships = await membershipsOf(database, person.userId)
        return {
          name: person.name,
          email: person.email,
          two_factor: person.hasTwoFactor,
          operator: person.isOperator,
          csrf_token: guard.csrfTokenOf(person.sessionId),
          mode,
          methods: methodsShown,
          wallets: await Promise.all(
            memberships.map(async ({ walletId, role }) => {
              const wallet = await wallets.get(walletId)
              const { name, rights, suspendedAt, suspendedReason } = wallet
              return {
                id: Number(walletId),
                name,
                role,
                abilities: [...abilitiesOf[role]],
                rights: [...rights],
                methods: [...wallet.methods],
                suspended: suspendedAt === undefined ? null : toTimestamp(suspendedAt),
                suspended_reason: suspendedReason,
              }
            }),
          ),
        }
      },
    )

    app.post(
      '/backoffice/api/join/look',
      { config: { auth: 'none' }, schema: { body: tokenSchema, response: { 200: linkSchema } } },
      async (request) => {
        const tried = { address: request.ip }
        const wait = await limits.begin(tried)
        if (wait !== undefined) deny(wait)
        const link = unwrap(await people.lookAt(request.body.token))
        await limits.succeeded(tried)
        const { purpose, email, role, walletId, hasAccount } = link
        return {
          purpose,
          email,
          has_account: hasAccount,
          ...(role && { role }),
          ...(walletId !== undefined && { merchant: (await wallets.get(walletId)).name }),
        }
      },
    )

    app.post(
      '/backoffice/api/join',
      {
        config: { auth: 'none' },
        schema: { body: joinSchema, response: { 200: Type.Object({ email: Type.String() }) } },
      },
      async (request) => {
        if (isFromOtherSite(request)) {
          return deny('access_denied', "another site's page must not do this") as never
        }
        const { token, name, password } = request.body
        const link = await people.lookAt(token)
        // The password of an existing account can be tried here, so each try counts like a sign-in.
        const isTried = link.ok && link.value.hasAccount && link.value.purpose === 'invitation'
        const account = isTried ? link.value.email : undefined
        const device = account && devices.idOf(request.headers.cookie, account)
        const tried = { address: request.ip, account, device }
        const wait = await limits.begin(tried)
        if (wait !== undefined) deny(wait)
        const { email } = unwrap(link)
        const by = { tid: request.id, target: request.url, address: request.ip }
        unwrap(await people.join(token, { name, password }, by))
        await limits.succeeded(tried)
        return unwrap(ok({ email }))
      },
    )
  }
}
