// The commands vault rotate and vault status.
import type { CommandContext, CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import type { Command } from './command.ts'

type Status = Awaited<ReturnType<CommandContext['vault']['status']>>

const rotate: Command = {
  name: 'vault rotate',
  summary:
    'Re-encrypts all secrets without a stop: with a new master key in a sandbox, else with the newest in MASTER_KEY_FILE.',
  examples: ['comporta vault rotate'],
  operands: [],
  options: {},
  changes: { action: 'Rotate the master key', of: 'gateway' },
  local: async ({ vault }) => rotateKeys(vault),
}

const status: Command = {
  name: 'vault status',
  summary:
    'Counts the secrets under each master key. A key without secrets may be removed from the file, except version 1.',
  examples: ['comporta vault status'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ vault }) {
    const found = await vault.status()
    return done(statusAsJson(found), statusText(found))
  },
}

export const vaultCommands: readonly Command[] = [rotate, status]

async function rotateKeys(vault: CommandContext['vault']): Promise<CommandResult> {
  const rotated = await vault.rotate()
  if (!rotated.ok) return refused({ kind: 'master_key_file', reason: rotated.refusal })
  const { version, added, resealed, left } = rotated.value
  const complete = Object.keys(left).length === 0
  const lines = [
    added
      ? `Created master key version ${version}.`
      : `Master key version ${version} is the newest in MASTER_KEY_FILE.`,
    `Re-encrypted: ${countsText(resealed)}.`,
    complete
      ? `Everything is encrypted with version ${version}.`
      : `Still under older versions: ${countsText(left)}. Run it again; secrets left then are damaged, or their key is missing.`,
  ]
  return { json: { version, added, resealed, left }, text: lines.join('\n'), exitCode: complete ? 0 : 1 }
}

function statusAsJson({ current, versions }: Status) {
  return {
    current,
    versions: versions.map(({ version, inFile, secrets }) => ({ version, in_file: inFile, secrets })),
  }
}

function statusText({ current, versions }: Status): string {
  const kinds = Object.keys(versions[0]?.secrets ?? {})
  const rows = versions.map(({ version, inFile, secrets }) => [
    String(version),
    !inFile ? 'missing' : version === current ? 'current' : 'old',
    ...kinds.map((kind) => String(secrets[kind] ?? 0)),
  ])
  return table(['VERSION', 'KEY', ...kinds.map((kind) => spaced(kind).toUpperCase())], rows)
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).map(([kind, count]) => `${count} ${spaced(kind)}`)
  return some.length === 0 ? 'nothing' : some.join(', ')
}

function spaced(kind: string): string {
  return kind.replaceAll('_', ' ')
}
