// Permissions of all routes as a page: docs/inside/permissions.md.
import { confirmationOf } from '../../src/backoffice/access/person.ts'
import { abilitiesOf, roles } from '../../src/backoffice/access/role-rules.ts'
import { code, markdownTable } from '../docs/markdown-table.ts'
import { isOfSandbox, productionRoutes, publicRoutes } from './public-routes.ts'
import { abilityOf, peoplePrefix, type Route } from './routes.ts'

const walletPrefix = `${peoplePrefix}wallets/:wallet/`

/** Changes that a suspended merchant may still make. */
export const whileSuspended: readonly string[] = [
  'POST /api/v2/callback/verify',
  'POST /api/v2/operations/:id/refund',
  'POST /api/v2/authorizations/:id/release',
]

export const nameOf = ({ method, url }: Route) => `${method} ${url}`

export function isForKeys({ url, auth }: Route): boolean {
  return auth !== 'none' && !url.startsWith(peoplePrefix)
}

export function isForPeople({ url, auth }: Route): boolean {
  return auth !== 'none' && url.startsWith(peoplePrefix)
}

export const isOfWallet = ({ url }: Route) => url.startsWith(walletPrefix)

/** The page of permissions. @param routes the routes of a gateway in sandbox mode */
export function permissionsPage(routes: readonly Route[]): string {
  const people = routes.filter(isForPeople)
  const ofWallet = people.filter(isOfWallet)
  const others = people.filter((route) => !isOfWallet(route))
  const count = routes.filter((route) => !isOfSandbox(route)).length
  return `# Permissions of all routes

This page lists the ${count} routes of a gateway. The ${routes.length - count} routes of the sandbox are missing, because production does not have them.

\`npm run tables\` generates it. After a change of routes, run it and check which routes the change opens. The tests
[permissions.test.ts](../../test/security/permissions.test.ts) and [tenancy.test.ts](../../test/backoffice/tenancy.test.ts)
compare this page with the routes and try every row, except the last section and the column \`confirms\`.

## With an API key

A key reaches only its own merchant. An id of another merchant gets the same answer as an unknown id.

${table(['route', 'permission', 'right of the merchant', 'ESB token', 'while suspended'], routes.filter(isForKeys).map(keyRow))}

## Signed in, in a merchant's team

Paths below \`${walletPrefix}\`. People without a role in the team have no access. Operators can only read.
\`confirms\`: the route asks for the password or a code again after ten minutes; \`above 500 €\` only for such amounts.

${table(['route', 'asks for', ...roles.map((role) => role.replace('_', ' ')), 'operator', 'confirms'], ofWallet.map(teamRow))}

## Signed in

Paths below \`${peoplePrefix}\`. \`anybody\`: only for the person's own account.

${table(['route', 'for', 'confirms'], others.map(signedInRow))}

## Open to everybody

Routes without key and session, with the reason.

${Object.entries({ ...publicRoutes, ...productionRoutes })
  .map(publicLine)
  .join('\n')}
`
}

function keyRow(route: Route): string[] {
  const { permission, rights = [], esb = false } = route.auth === 'none' ? {} : route.auth
  const ends = ['GET', 'DELETE'].includes(route.method) || permission === undefined
  const passes = ends || whileSuspended.includes(nameOf(route))
  return [code(nameOf(route)), permission ?? 'any key', rights.join(', '), yes(esb), yes(passes)]
}

function teamRow(route: Route): string[] {
  const asks = asksOf(route)
  return [
    code(nameOf(route).replace(walletPrefix, '')),
    asks ?? 'membership',
    ...roles.map((role) => yes(mayBy(route, role))),
    yes(asks === undefined),
    confirms(route),
  ]
}

function signedInRow(route: Route): string[] {
  const who = abilityOf(route) === 'operator' ? 'operators' : 'anybody'
  return [code(nameOf(route).replace(peoplePrefix, '')), who, confirms(route)]
}

function publicLine([why, names]: [string, readonly string[]]): string {
  return `- ${why}: ${names.map(code).join(', ')}`
}

export function asksOf(route: Route): string | undefined {
  return route.method === 'GET' && route.people.ability === undefined ? undefined : abilityOf(route)
}

export function mayBy(route: Route, role: (typeof roles)[number]): boolean {
  const asks = asksOf(route)
  return asks === undefined || (abilitiesOf[role] as readonly string[]).includes(asks)
}

function confirms({ url, people }: Route): string {
  const asked = confirmationOf(url, people)
  return asked === undefined ? '' : asked === 'always' ? 'always' : 'above 500 €'
}

const yes = (does: boolean) => (does ? 'yes' : '')

function table(head: readonly string[], rows: readonly string[][]): string {
  const pathOf = ([first = '']: string[]) => first.replace(/^`\w+ (.*)`$/, '$1 ').concat(first)
  return markdownTable(
    head,
    rows.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)),
  )
}
