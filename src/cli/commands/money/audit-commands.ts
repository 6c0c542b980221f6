// The commands audit, audit head, audit keys and audit rotate.
import { readFile } from 'node:fs/promises'
import type { AuditReport } from '../../../audits/index.ts'
import type { Proof, SignedHead } from '../../../chain/index.ts'
import { toTimestamp } from '../../../kernel/time.ts'
import type { CommandContext, CommandResult } from '../../context.ts'
import { done, refused } from '../answers.ts'
import { type Command, UsageError } from '../command.ts'
import { merchantNamed, walletNamed } from '../option-values.ts'

const audit: Command = {
  name: 'audit',
  summary: 'Checks the ledger, or compares history with a signed head; exits 1 when there is a problem.',
  examples: [
    'comporta audit --json',
    'comporta audit --since head-2026-03-01.json',
    'comporta audit --since 4211:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  operands: [],
  options: {
    since: {
      value: '<head>',
      path: 'if it exists',
      help: 'file with a head, the head as JSON, or <number>:<hash>',
    },
    wallet: { value: '<wallet>', help: 'wallet of a head <number>:<hash>. Default: the gateway' },
  },
  changes: 'nothing',
  async local(context, input) {
    const since = input.value('since')
    const wallet = input.value('wallet')
    if (since !== undefined) return prove(context, await headText(since), wallet)
    if (wallet !== undefined) throw new UsageError('--wallet needs --since')
    const report = await context.audit()
    return { json: report, text: auditText(report), exitCode: report.ok ? 0 : 1 }
  },
}

const head: Command = {
  name: 'audit head',
  summary: 'Prints the signed head of the gateway, or of a merchant. Keep it in another place.',
  examples: ['comporta audit head --json'],
  operands: [],
  options: { wallet: { value: '<wallet>', help: 'the head of this merchant, by number or e-mail' } },
  changes: 'nothing',
  async local({ chain, wallets }, input) {
    const wallet = input.value('wallet')
    if (wallet === undefined) {
      const found = await chain.head()
      return found === undefined ? nothingChained : shown(found)
    }
    const found = await chain.headOf((await merchantNamed(wallets, wallet)).id)
    return found.ok ? shown(found.value) : refused(found.refusal)
  },
}

const keys: Command = {
  name: 'audit keys',
  summary: 'Prints the public keys of signed heads, the current key last.',
  examples: ['comporta audit keys'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ chain }) {
    const found = await chain.keys()
    const json = { keys: found.map(({ key, publicKey }) => ({ key, public_key: publicKey })) }
    return done(json, found.map(({ key, publicKey }) => `Key ${key}:\n${publicKey}`).join('\n'))
  },
}

const rotate: Command = {
  name: 'audit rotate',
  summary: 'Creates a new key for the next heads; older public keys stay published.',
  examples: ['comporta audit rotate'],
  operands: [],
  options: {},
  changes: { action: 'Replace the key of signed heads', of: 'gateway' },
  async local({ chain }) {
    const key = await chain.nextKey()
    return done({ key }, `The next heads are signed by key ${key}.`)
  },
}

export const auditCommands: readonly Command[] = [audit, head, keys, rotate]

const nothingChained = refused({
  kind: 'not_found',
  reason: 'there is no signed history yet: wait one minute after the first payment',
})

/** Returns the content of the file. If there is no such file, the text is the head itself. */
async function headText(since: string): Promise<string> {
  try {
    return await readFile(since, 'utf8')
  } catch (error) {
    // A head as JSON is too long for a file name, or looks like a path in a missing folder.
    const isNoFile = ['ENOENT', 'ENAMETOOLONG', 'ENOTDIR'].includes(
      (error as NodeJS.ErrnoException).code ?? '',
    )
    if (isNoFile) return since
    throw new UsageError(`--since cannot be read: ${(error as Error).message}`)
  }
}

async function prove(
  { chain, wallets }: CommandContext,
  given: string,
  wallet: string | undefined,
): Promise<CommandResult> {
  const owner = wallet === undefined ? undefined : await walletNamed(wallets, wallet)
  const proof = await chain.prove(given, owner?.id)
  if (!proof.ok) return refused(proof.refusal)
  const { ok, postings, events, committedUntil, differences } = proof.value
  return {
    json: {
      ok,
      postings: Number(postings),
      events: Number(events),
      ...(committedUntil !== undefined && { through: toTimestamp(committedUntil) }),
      differences,
    },
    text: proofText(proof.value),
    exitCode: ok ? 0 : 1,
    isReport: true,
  }
}

function proofText({ ok, postings, events, committedUntil, differences }: Proof): string {
  const until = committedUntil === undefined ? 'the head' : toTimestamp(committedUntil)
  if (ok) return `Proved: ${postings} postings and ${events} events up to ${until} equal the signed history.`
  const found = differences.map(({ subject, detail }) => `  ${subject}: ${detail}`)
  return [
    'Not proved: the history differs from the signed one. The first difference comes first.',
    ...found,
  ].join('\n')
}

function shown({ number, hash, key, signed, signature }: SignedHead): CommandResult {
  const text = `${signed}signature ${signature}`
  return done({ number: Number(number), hash, key, signature, signed }, text)
}

function auditText({ ok, checks, problems }: AuditReport): string {
  const examined = Object.entries(checks).map(([check, rows]) => `  ${check.padEnd(40)} ${rows} rows`)
  const found = problems.map(({ check, subject, detail }) => `  ${check}: ${subject}: ${detail}`)
  const verdict = ok ? 'The ledger is correct.' : `${problems.length} problems:`
  return [...examined, verdict, ...found].join('\n')
}
