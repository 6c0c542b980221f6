// The commands key create, revoke and list.
import { toTimestamp } from '../../kernel/time.ts'
import { permissions, permissionsDefault } from '../../kernel/values/permissions.ts'
import { done, refused, table } from './answers.ts'
import type { Command } from './command.ts'
import { merchantNamed, wordsOf } from './option-values.ts'

const create: Command = {
  name: 'key create',
  summary: 'Creates an API key and shows it once. <wallet> is the number or the public id of a merchant.',
  examples: ['comporta key create 1000 --permissions checkout,operations,callbacks --name "web shop"'],
  operands: ['<wallet>'],
  options: {
    permissions: {
      value: '<list|all>',
      help: `comma list of ${permissions.join(', ')}. Default: ${permissionsDefault.join(', ')}`,
    },
    name: { value: '<text>', help: 'name of the key, for example the program that uses it' },
  },
  changes: {
    action: 'Make an API key',
    of: async ({ wallets }, input) => [(await merchantNamed(wallets, input.operands[0])).id],
  },
  async local({ wallets }, input) {
    const asked = input.value('permissions')
    const granted = asked === undefined ? permissionsDefault : permissionsOf(asked)
    const { id } = await merchantNamed(wallets, input.operands[0])
    const created = await wallets.createKey(id, granted, input.value('name'))
    if (!created.ok) return refused(created.refusal)
    const { key, permissions, name } = created.value
    const json = { id: created.value.id, wallet_id: Number(id), api_key: key, name, permissions }
    return done(json, `${key}\n\nThe key is shown only now: save it. It may: ${permissions.join(', ')}`)
  },
}

function permissionsOf(text: string) {
  return text === 'all' ? permissions : wordsOf('permissions', text, permissions)
}

const revoke: Command = {
  name: 'key revoke',
  summary: 'Revokes an API key immediately, in every process. <key id> has 8 letters, see key list.',
  examples: ['comporta key revoke Xy12Zz89'],
  operands: ['<key id>'],
  options: {},
  changes: {
    action: 'Revoke an API key',
    of: async ({ wallets }, { operands: [id] }) =>
      (await wallets.listKeys()).filter((key) => key.id === id).map(({ walletId }) => walletId),
  },
  async local({ wallets }, input) {
    const id = input.operands[0] ?? ''
    const revoked = await wallets.revokeKey(id)
    return revoked.ok ? done({ id, revoked: true }, `Key ${id} is revoked.`) : refused(revoked.refusal)
  },
}

const list: Command = {
  name: 'key list',
  summary: 'Lists the API keys of one merchant or of all, without their secrets.',
  examples: ['comporta key list 1000'],
  operands: ['[wallet]'],
  options: {},
  changes: 'nothing',
  async local({ wallets }, input) {
    const [operand] = input.operands
    const merchant = operand === undefined ? undefined : await merchantNamed(wallets, operand)
    const keys = (await wallets.listKeys(merchant?.id)).map((key) => ({
      id: key.id,
      wallet_id: Number(key.walletId),
      name: key.name,
      permissions: key.permissions,
      created: toTimestamp(key.createdAt),
      last_used_on: key.lastUsedOn,
      revoked: key.revokedAt === null ? null : toTimestamp(key.revokedAt),
    }))
    const rows = keys.map((key) => [
      key.id,
      String(key.wallet_id),
      key.name ?? '',
      key.created,
      key.last_used_on ?? 'never',
      key.revoked ?? 'live',
      key.permissions.join(','),
    ])
    return done(
      { keys },
      table(['KEY ID', 'WALLET', 'NAME', 'CREATED', 'LAST USED', 'REVOKED', 'PERMISSIONS'], rows),
    )
  },
}

export const keyCommands: readonly Command[] = [create, revoke, list]
