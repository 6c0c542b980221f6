// The commands backup and restore.
import { resolve } from 'node:path'
import type { RestoreReport } from '../../backups/index.ts'
import type { PlaceConfig } from '../../config.ts'
import { systemRandomness } from '../../kernel/random.ts'
import { systemClock } from '../../kernel/time.ts'
import type { CommandResult } from '../context.ts'
import { done, refused } from './answers.ts'
import type { Command, CommandInput } from './command.ts'

const backup: Command = {
  name: 'backup',
  summary: 'Writes the embedded database to a new file, while the gateway runs or when it is stopped.',
  examples: ['comporta backup /backups/comporta-2026-11-23.tar.gz'],
  operands: ['<file>'],
  operandsArePaths: true,
  options: {},
  changes: 'nothing',
  async local({ backup: take }, { operands: [file = ''] }) {
    if (take === undefined) return elsewhere('backup')
    const { BackupRefused } = await import('../../backups/index.ts')
    try {
      const report = await take(file)
      const { sha256, ended, counts, keys } = report
      const lines = [
        `Wrote ${file} (${inMebibytes(report.bytes)}): everything answered until ${ended}.`,
        `${counts.operations} operations of ${counts.wallets} wallets. SHA-256 ${sha256}`,
        `Also keep the master key file (version ${keys.join(', ')}) and bank files that are not sent yet: they are not in the backup.`,
      ]
      return done(report, lines.join('\n'))
    } catch (error) {
      return refusalOr(error, BackupRefused)
    }
  },
}

const restore: Command = {
  name: 'restore',
  summary: 'Replaces the embedded database of DATA_DIR by a backup. The gateway must be stopped.',
  examples: [
    'DATA_DIR=./fresh comporta restore /backups/comporta-2026-11-23.tar.gz',
    'comporta restore --replace comporta.tar.gz',
  ],
  operands: ['<file>'],
  operandsArePaths: true,
  options: { replace: { help: 'replace an existing database; the old one is kept next to it' } },
  offline: (config, input) => restoreInto(config, input),
}

export const backupCommands: readonly Command[] = [backup, restore]

async function restoreInto(config: PlaceConfig, input: CommandInput): Promise<CommandResult> {
  const { databaseUrl, dataDir, masterKeyFile } = config
  if (databaseUrl !== undefined) return elsewhere('restore')
  const file = resolve(input.operands[0] ?? '')
  const [
    { BackupRefused, restoreBackup },
    { loadKeyring, lockDataDir },
    { embeddedDatabaseIn, restoredDatabaseIn },
  ] = await Promise.all([
    import('../../backups/index.ts'),
    import('../../storage/index.ts'),
    import('../../config.ts'),
  ])
  const keyring = await loadKeyring(masterKeyFile, { generate: false, random: systemRandomness })
  if (!keyring.ok) return notRestored(`${keyring.refusal}: first copy the key file of the backup there`)
  const lock = lockDataDir(dataDir)
  if ('heldBy' in lock) return notRestored(`${dataDir} is in use by ${lock.heldBy}: stop it first`)
  try {
    const folder = embeddedDatabaseIn(dataDir)
    const { keys } = keyring.value
    const replace = input.flag('replace')
    const report = await restoreBackup(file, {
      folder,
      waiting: restoredDatabaseIn(dataDir),
      keys,
      keyFile: masterKeyFile,
      replace,
      now: systemClock.now(),
    })
    return done(report, restoredText(report, dataDir))
  } catch (error) {
    return refusalOr(error, BackupRefused)
  } finally {
    lock.release()
  }
}

function restoredText({ version, ended, counts, replaced }: RestoreReport, dataDir: string): string {
  return [
    `${dataDir} has the database as it was at ${ended}: ${counts.operations} operations of ${counts.wallets} wallets, from Comporta ${version}.`,
    ...(replaced === undefined ? [] : [`The old database is kept in ${replaced}`]),
    'Next: run comporta audit, then start the gateway. It migrates an older database.',
    'Later answers are not in it: docs/backups.md explains how to find them.',
  ].join('\n')
}

function refusalOr(error: unknown, kind: new (reason: string) => Error): CommandResult {
  if (error instanceof kind) return notRestored(error.message)
  throw error
}

function notRestored(reason: string): CommandResult {
  return refused({ kind: 'backup', reason })
}

function elsewhere(command: string): CommandResult {
  return refused({
    kind: 'embedded_only',
    reason: `${command} works with the embedded database only: for PostgreSQL use pg_basebackup, see docs/deploying.md`,
  })
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
