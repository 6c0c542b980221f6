// The team of a merchant, its invitations and its action log.
import { Type } from 'typebox'
import { type App, callerOf } from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { actionOnWire, listActions } from '../access/actions-store.ts'
import { walletPrefix } from '../access/person.ts'
import { openInvitations, withdrawInvitation } from '../accounts/one-time-links.ts'
import {
  askTwoFactor,
  changeRole,
  findMember,
  membersOf,
  removeMember,
  teamAsksTwoFactor,
} from '../accounts/team.ts'
import {
  actionsQuery,
  actionsSchema,
  emptyAnswer,
  inviteBody,
  linkAnswer,
  roleBody,
  teamRulesBody,
  teamSchema,
} from '../contract/team.ts'
import { operatorPrefix } from '../operator/route-parts.ts'
import type { BackofficeParts } from '../parts.ts'

const actionsPerPage = 50
const ofTeam = { people: { ability: 'team' } } as const
/** For changes that give a person access. */
const confirmed = { people: { ability: 'team', confirmed: 'always' } } as const
const params = Type.Object({ id: Type.String() })

export function teamRoutes(parts: BackofficeParts): (app: App) => void {
  return (app) => {
    listRoutes(parts, app)
    invitationRoutes(parts, app)
    memberRoutes(parts, app)
  }
}

function listRoutes({ database, clock }: BackofficeParts, app: App): void {
  app.get(
    `${walletPrefix}team`,
    { schema: { summary: 'The team', response: { 200: teamSchema } } },
    async (request) => {
      const { walletId } = callerOf(request)
      const members = await membersOf(database, walletId)
      const invitations = await openInvitations(database, walletId)
      const isRequired = await teamAsksTwoFactor(database, walletId)
      const now = clock.now()
      return {
        members: members.map(({ userId, name, email, role, joinedAt, signedInAt, hasTwoFactor }) => ({
          id: userId,
          name,
          email,
          role,
          joined_at: toTimestamp(joinedAt),
          ...(signedInAt !== undefined && { signed_in_at: toTimestamp(signedInAt) }),
          two_factor: hasTwoFactor,
          is_you: userId === request.person?.userId,
        })),
        invitations: invitations.map(({ createdAt, expiresAt, ...invitation }) => ({
          ...invitation,
          created_at: toTimestamp(createdAt),
          expires_at: toTimestamp(expiresAt),
          is_over: expiresAt <= now,
        })),
        two_factor_required: isRequired,
      }
    },
  )

  app.get(
    `${walletPrefix}actions`,
    {
      schema: {
        summary: 'List actions of the team',
        querystring: actionsQuery,
        response: { 200: actionsSchema },
      },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      const { before } = request.query
      if (before !== undefined && !/^\d{1,18}$/.test(before)) {
        return deny('invalid_parameter', 'before must be the value of next')
      }
      const page = { before: before === undefined ? undefined : BigInt(before), limit: actionsPerPage }
      const actions = await listActions(database, walletId, page)
      const last = actions.length === actionsPerPage ? actions.at(-1) : undefined
      return {
        actions: actions.map(({ address, ...action }) => ({
          ...actionOnWire(action),
          // Owners see the addresses of their colleagues, but not those of operators.
          ...(request.role === 'owner' && address !== null && isOfTeam(action) && { address }),
        })),
        ...(last && { next: String(last.id) }),
      }
    },
  )
}

function isOfTeam({ action, target }: { readonly action: string; readonly target: string }): boolean {
  return action !== 'Read as operator' && !target.startsWith(operatorPrefix)
}

function invitationRoutes({ database, people }: BackofficeParts, app: App): void {
  app.post(
    `${walletPrefix}team/invitations`,
    {
      config: confirmed,
      schema: { summary: 'Invite somebody', body: inviteBody, response: { 200: linkAnswer } },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      const { role } = request.body
      const email = request.body.email.trim().toLowerCase()
      const members = await membersOf(database, walletId)
      if (members.some((member) => member.email === email)) {
        return deny('illegal_state', `${email} is in the team: change the role there`)
      }
      return unwrap(await people.invite({ email, walletId, role, invitedBy: request.person?.userId }))
    },
  )

  app.delete(
    `${walletPrefix}team/invitations/:id`,
    {
      config: ofTeam,
      schema: { summary: 'Withdraw an invitation', params, response: { 200: emptyAnswer } },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      if (!(await withdrawInvitation(database, walletId, request.params.id))) {
        return deny('not_found', 'there is no such invitation: it was used, renewed or withdrawn')
      }
      return {}
    },
  )
}

function memberRoutes({ database, people }: BackofficeParts, app: App): void {
  app.put(
    `${walletPrefix}team/rules`,
    {
      config: confirmed,
      schema: {
        summary: 'Change what the team must do to sign in',
        body: teamRulesBody,
        response: { 200: emptyAnswer },
      },
    },
    async (request) => {
      const { two_factor_required: isAsked } = request.body
      if (isAsked && request.person?.hasTwoFactor !== true) {
        return deny('illegal_state', 'use an authenticator app yourself first: under Security')
      }
      await askTwoFactor(database, callerOf(request).walletId, isAsked)
      return {}
    },
  )

  app.put(
    `${walletPrefix}team/members/:id`,
    {
      config: confirmed,
      schema: { summary: 'Change a role', params, body: roleBody, response: { 200: emptyAnswer } },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      unwrap(await changeRole(database, walletId, request.params.id, request.body.role))
      return {}
    },
  )

  app.delete(
    `${walletPrefix}team/members/:id`,
    { config: confirmed, schema: { summary: 'Remove somebody', params, response: { 200: emptyAnswer } } },
    async (request) => {
      const { walletId } = callerOf(request)
      unwrap(await removeMember(database, walletId, request.params.id))
      return {}
    },
  )

  const passwordLinks = [
    { name: 'password-link', summary: 'Make a link for a new password', takesTwoFactor: false },
    { name: 'lost-phone-link', summary: 'Make a link that takes two-factor away', takesTwoFactor: true },
  ]
  for (const { name, summary, takesTwoFactor } of passwordLinks) {
    app.post(
      `${walletPrefix}team/members/:id/${name}`,
      { config: confirmed, schema: { summary, params, response: { 200: linkAnswer } } },
      async (request) => {
        const { walletId } = callerOf(request)
        const member = await findMember(database, walletId, request.params.id)
        if (member === undefined) {
          return deny('not_found', 'there is nobody with that id in the team')
        }
        const by = { ownerId: request.person?.userId, ofTeam: walletId, takesTwoFactor }
        return unwrap(await people.resetPassword(member.email, by))
      },
    )
  }
}
