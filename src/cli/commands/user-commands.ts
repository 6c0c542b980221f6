// comporta user create, list, reset and remove: who signs in to the backoffice.
import { roles } from '../../backoffice/access/role-rules.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { CommandContext } from '../context.ts'
import { done, refused } from './answers.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { merchantNamed } from './option-values.ts'

/** The teams that the person of the address is in. */
async function teamsOf({ people }: CommandContext, { operands: [email = ''] }: CommandInput) {
  const person = (await people.list()).find((one) => one.email === email.toLowerCase())
  return (person?.teams ?? []).map(({ wallet_id }) => BigInt(wallet_id))
}

const create: Command = {
  name: 'user create',
  summary: 'Makes a one-time link by which somebody gets an account of the backoffice.',
  examples: [
    'comporta user create --operator --email ana@example.com',
    'comporta user create --wallet 1000 --role finance --email rui@example.com',
  ],
  operands: [],
  options: {
    email: { value: '<address>', help: 'whose account it will be' },
    operator: { help: 'of the operator: sees every merchant, and what runs' },
    wallet: { value: '<wallet>', help: 'number or public id of the merchant whose team it is' },
    role: { value: '<role>', help: `in that team: ${roles.join(', ')}; without it owner` },
  },
  changes: {
    action: 'Invite somebody',
    of: async ({ wallets }, input) => {
      const merchant = input.value('wallet')
      return merchant === undefined ? [] : [(await merchantNamed(wallets, merchant)).id]
    },
  },
  async run({ wallets, people }, input) {
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
  summary: 'Makes a one-time link by which somebody chooses a new password.',
  examples: ['comporta user reset ana@example.com --two-factor'],
  operands: ['<address>'],
  options: { 'two-factor': { help: 'takes the authenticator app away too, for a phone that is lost' } },
  changes: {
    action: (input) =>
      input.flag('two-factor') ? 'Make a link that takes two-factor away' : 'Make a link for a new password',
    of: teamsOf,
  },
  async run({ people }, input) {
    const takesTwoFactor = input.flag('two-factor')
    const made = await people.resetPassword(input.operands[0] ?? '', { takesTwoFactor })
    if (!made.ok) return refused(made.refusal)
    const { url, email } = made.value
    const also = takesTwoFactor ? ' Using it ends two-factor.' : ''
    return done({ email, url }, `${url}\n\nThe link works once, for 2 hours: give it to ${email}.${also}`)
  },
}

const list: Command = {
  name: 'user list',
  summary: 'Lists who may sign in to the backoffice, with their teams.',
  examples: ['comporta user list'],
  operands: [],
  options: {},
  changes: 'nothing',
  async run({ people }) {
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
      lines.join('\n') || 'Nobody yet: comporta user create --operator --email <address>',
    )
  },
}

const remove: Command = {
  name: 'user remove',
  summary: 'Deletes the account of somebody, who is signed out at once. What they did stays in the log.',
  examples: ['comporta user remove ana@example.com'],
  operands: ['<address>'],
  options: {},
  changes: { action: 'Remove an account', of: teamsOf },
  async run({ people }, input) {
    const [email = ''] = input.operands
    const removed = await people.remove(email)
    if (!removed.ok) return refused(removed.refusal)
    return done({ email }, `${email} has no account any more.`)
  },
}

export const userCommands: readonly Command[] = [create, list, reset, remove]
