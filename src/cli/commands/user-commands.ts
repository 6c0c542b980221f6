// The commands user create, list, reset and remove.
import { roles } from '../../backoffice/access/role-rules.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { CommandContext } from '../context.ts'
import { done, refused } from './answers.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { merchantNamed } from './option-values.ts'

async function teamsOf({ people }: CommandContext, { operands: [email = ''] }: CommandInput) {
  const person = (await people.list()).find((one) => one.email === email.toLowerCase())
  return (person?.teams ?? []).map(({ wallet_id }) => BigInt(wallet_id))
}

const create: Command = {
  name: 'user create',
  summary: 'Creates a one-time link for a new account of the backoffice.',
  examples: [
    'comporta user create --operator --email ana@example.com',
    'comporta user create --wallet 1000 --role finance --email rui@example.com',
  ],
  operands: [],
  options: {
    email: { value: '<address>', help: 'e-mail address of the account' },
    operator: { help: 'account of the operator, for all merchants' },
    wallet: { value: '<wallet>', help: 'number or public id of the merchant whose team gets the account' },
    role: { value: '<role>', help: `role in that team: ${roles.join(', ')}. Default: owner` },
  },
  changes: {
    action: 'Invite somebody',
    of: async ({ wallets }, input) => {
      const merchant = input.value('wallet')
      return merchant === undefined ? [] : [(await merchantNamed(wallets, merchant)).id]
    },
  },
  async local({ wallets, people }, input) {
    const email = input.value('email')
    const merchant = input.value('wallet')
    if (email === undefined) throw new UsageError('user create needs --email')
    if (input.flag('operator') === (merchant !== undefined)) {
      throw new UsageError('user create needs either --operator or --wallet')
    }
    const asked = input.value('role') ?? 'owner'
    const role = roles.find((one) => one === asked)
    if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}, not "${asked}"`)
    const walletId = merchant === undefined ? undefined : (await merchantNamed(wallets, merchant)).id
    const made = await people.invite({
      email,
      walletId,
      role: walletId === undefined ? undefined : role,
      invitedBy: undefined,
    })
    if (!made.ok) return refused(made.refusal)
    const { url } = made.value
    return done({ email, url }, `${url}\n\nThe link works once, for 7 days: give it to ${email}.`)
  },
}

const reset: Command = {
  name: 'user reset',
  summary: 'Creates a one-time link for a new password.',
  examples: ['comporta user reset ana@example.com --two-factor'],
  operands: ['<address>'],
  options: { 'two-factor': { help: 'also remove the authenticator app, for a lost phone' } },
  changes: {
    action: (input) =>
      input.flag('two-factor') ? 'Make a link that takes two-factor away' : 'Make a link for a new password',
    of: teamsOf,
  },
  async local({ people }, input) {
    const takesTwoFactor = input.flag('two-factor')
    const made = await people.resetPassword(input.operands[0] ?? '', { takesTwoFactor })
    if (!made.ok) return refused(made.refusal)
    const { url, email } = made.value
    const also = takesTwoFactor ? ' It also removes two-factor.' : ''
    return done({ email, url }, `${url}\n\nThe link works once, for 2 hours: give it to ${email}.${also}`)
  },
}

const list: Command = {
  name: 'user list',
  summary: 'Lists the users of the backoffice with their teams.',
  examples: ['comporta user list'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ people }) {
    const users = (await people.list()).map((one) => ({
      email: one.email,
      name: one.name,
      operator: one.isOperator,
      two_factor: one.hasTwoFactor,
      signed_in_at: one.signedInAt === undefined ? null : toTimestamp(one.signedInAt),
      teams: one.teams,
    }))
    const lines = users.map(({ email, operator, two_factor, signed_in_at, teams }) => {
      const parts = [
        operator ? 'operator' : [],
        teams.map(({ wallet_id, role }) => `${role} of ${wallet_id}`),
      ]
      const last = signed_in_at === null ? 'never signed in' : `last signed in ${signed_in_at}`
      return `${email}: ${parts.flat().join(', ') || 'in no team'}; ${last}${two_factor ? '; two-factor' : ''}`
    })
    return done(
      { users },
      lines.join('\n') || 'There are no users: comporta user create --operator --email <address>',
    )
  },
}

const remove: Command = {
  name: 'user remove',
  summary: 'Deletes an account and signs the person out. The log keeps their actions.',
  examples: ['comporta user remove ana@example.com'],
  operands: ['<address>'],
  options: {},
  changes: { action: 'Remove an account', of: teamsOf },
  async local({ people }, input) {
    const [email = ''] = input.operands
    const removed = await people.remove(email)
    if (!removed.ok) return refused(removed.refusal)
    return done({ email }, `The account of ${email} is deleted.`)
  },
}

export const userCommands: readonly Command[] = [create, list, reset, remove]
