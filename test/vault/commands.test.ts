// comporta vault rotate and status, with made and added keys.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createActionLog } from '../../src/backoffice/access/action-log.ts'
import { runCommand } from '../../src/cli/commands/commands.ts'
import type { CommandContext } from '../../src/cli/context.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { ok } from '../../src/kernel/result.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'
import { openWalletsWorld } from '../wallets/world.ts'
import { type KeyFile, newKeyFile, openVault, storeMany, type VaultProcess } from './world.ts'

let database: Database
let keys: KeyFile
beforeEach(async () => {
  database = await openTestDatabase('pglite')
  keys = await newKeyFile()
})
afterEach(async () => {
  await database.close()
  await keys.remove()
})

async function run(process: VaultProcess, ...args: string[]) {
  const world = await openWalletsWorld('pglite')
  const { wallets } = world
  const context: CommandContext = {
    wallets,
    log: createActionLog({ ...world, random: systemRandomness }),
    callbacks: {
      list: async () => [],
      resend: async () => ok(undefined),
      resendFailed: async () => ({ resent: 0, more: false }),
    },
    audit: async () => ({ ok: true, checks: {}, problems: [] }),
    ...{ totals: undefined as never, backlogs: undefined as never },
    migrate: async () => [],
    cell: { read: async () => 0, set: async () => ({ ok: true, value: undefined }) },
    vault: process.rotation,
    payouts: undefined as never,
    transfers: undefined as never,
    ...{ bank: undefined as never, suspense: undefined as never, people: undefined as never },
    chain: undefined as never,
    reconciliation: undefined as never,
  }
  return runCommand(context, args)
}

it('makes one key each time, if keys are generated', async () => {
  const sandbox = await openVault(database, `${keys.path}.generated`, { generate: true })
  await storeMany(database, sandbox.vault, 3)
  expect(await run(sandbox, 'vault', 'rotate')).toEqual({
    json: {
      version: 2,
      added: true,
      resealed: { stored_cards: 3, cards_of_attempts: 0, secure_field_keys: 0 },
      left: {},
    },
    text: expect.stringMatching(
      /^Created master key version 2\.\nRe-encrypted: 3 stored cards, .*\nEverything/,
    ),
    exitCode: 0,
  })
  expect(await run(sandbox, 'vault', 'rotate')).toMatchObject({ json: { version: 3 } })
  const { json, text } = await run(sandbox, 'vault', 'status')
  const none = { stored_cards: 0, cards_of_attempts: 0, secure_field_keys: 0 }
  expect(json).toEqual({
    current: 3,
    versions: [
      { version: 1, in_file: true, secrets: none },
      { version: 2, in_file: true, secrets: none },
      { version: 3, in_file: true, secrets: { ...none, stored_cards: 3 } },
    ],
  })
  expect(text).toMatch(/^VERSION\s+KEY\s+STORED CARDS\s.*\n1\s+old\s+0\s.*\n2\s+old\s+0\s.*\n3\s+current\s+3/)
})

it('otherwise waits for the operator’s line', async () => {
  const production = await openVault(database, keys.path)
  await storeMany(database, production.vault, 2)
  expect(await run(production, 'vault', 'rotate')).toMatchObject({
    json: { version: 1, added: false, resealed: { stored_cards: 0 } },
    text: expect.stringMatching(/^Master key version 1 is the newest in MASTER_KEY_FILE/),
    exitCode: 0,
  })
  await keys.add(2)
  expect(await run(production, 'vault', 'rotate')).toMatchObject({
    json: { version: 2, resealed: { stored_cards: 2 } },
  })
})

it('exits 1 for a wrong file, and for a record that could not be sealed again', async () => {
  const production = await openVault(database, keys.path)
  await storeMany(database, production.vault, 2)
  await keys.add(2)
  await keys.keep(2)
  expect(await run(production, 'vault', 'rotate')).toMatchObject({
    json: { error: { kind: 'master_key_file', reason: expect.stringMatching(/version 1/) } },
    exitCode: 1,
  })
  await keys.keep(1, 2)
  await database.run({
    text: `update stored_cards set wrapped_key = set_byte(wrapped_key, 30, 0) || '\\x00'`,
  })
  const { json, text, exitCode } = await run(production, 'vault', 'rotate')
  expect(json).toMatchObject({ left: { stored_cards: 2 } })
  expect(text).toMatch(/Still under older versions: 2 stored cards/)
  expect(exitCode).toBe(1)
})
