// Merchants of a soak: the demo world, and a second shop with every right.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Json, Merchant } from '../world/notes.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'comporta.js')
const iban = 'PT50000201231234567890154'
const methods = 'CC,MB,MBWAY,PAYPAL,WALLET,SEPA,BANK'

/** How long to repeat a command while the database is down. */
const awaySecondsMax = 60
const awayPauseMs = 500
const isAway = /ECONNREFUSED|ECONNRESET|cannot be reached|is out of reach|starting up|shutting down/

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code?: number
}

export async function comporta(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Json> {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const options = { env, maxBuffer: 64 * 1024 * 1024 }
  const end = performance.now() + awaySecondsMax * 1000
  for (;;) {
    const ran = await run(process.execPath, [program, ...args, '--json'], options).catch(
      (error: Ran) => error,
    )
    const answer = answerIn(ran)
    const problem = answer === undefined ? ran.stderr || ran.stdout : (answer.error?.reason ?? '')
    const failed = 'code' in ran && (answer === undefined || answer.error !== undefined)
    if (!failed && answer !== undefined) return answer
    if (!isAway.test(problem) || performance.now() > end)
      throw new Error(`comporta ${args.join(' ')} failed: ${problem.trim()}`)
    await new Promise((resolve) => setTimeout(resolve, awayPauseMs))
  }
}

function answerIn({ stdout }: Ran): Json {
  try {
    return JSON.parse(stdout)
  } catch {
    return undefined
  }
}

export async function merchantsFor(environment: Readonly<Record<string, string>>): Promise<Merchant[]> {
  const { merchants } = JSON.parse(readFileSync(join(environment.DATA_DIR ?? '', 'demo.json'), 'utf8'))
  for (const { wallet_id } of merchants)
    await comporta(environment, 'merchant', 'set', String(wallet_id), '--iban', iban, '--mb-refunds', 'on')
  const shop = [
    '--name',
    'Second Shop',
    '--email',
    'second@shop.example',
    '--iban',
    iban,
    '--mb-refunds',
    'on',
  ]
  const rights = ['--rights', 'partner,pci_dss,marketplace', '--methods', methods]
  const second = await comporta(environment, 'merchant', 'create', ...shop, ...rights)
  const key = await comporta(environment, 'key', 'create', String(second.wallet_id), '--permissions', 'all')
  return [...merchants, { ...second, api_key: key.api_key, roles: second.rights }]
}
