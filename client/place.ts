// Finds the gateway and the API key of a command in its options, variables or demo.json.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { CliError, type Session } from '../src/cli/session.ts'
import {
  type DemoDocument,
  type DemoMerchant,
  demoDocumentIn,
  demoFileName,
} from '../src/wallets/demo/demo-model.ts'

export interface Place {
  readonly url: string
  /** Whether the address is from demo.json, which another person may have written. */
  readonly isFromFile: boolean
  readonly authorization: string
  readonly esbToken?: string | undefined
  readonly merchant?: DemoMerchant | undefined
}

const urlDefault = 'http://127.0.0.1:8080'

/** `fetch` refuses other characters in a header, with an error that contains the key. */
const headerWord = /^[\x21-\x7e]+$/

/** Throws {@link UsageError} or {@link CliError}. The messages contain no secrets. */
export async function findPlace(session: Session, input: CommandInput): Promise<Place> {
  const place = await placeOf(session, input)
  for (const [what, text] of [
    ['the API key', place.authorization.replace(' ', '')],
    ['the ESB token', place.esbToken ?? '-'],
  ] as const) {
    if (!headerWord.test(text))
      throw new UsageError(
        `${what} contains an invalid character, such as a space or a line break: copy it again`,
      )
  }
  return place
}

async function placeOf({ env }: Session, input: CommandInput): Promise<Place> {
  const url = input.value('url') ?? filled(env.COMPORTA_URL)
  const key = input.value('key') ?? filled(env.COMPORTA_API_KEY)
  const named = input.value('merchant')
  const dataDir = filled(env.DATA_DIR) ?? './data'
  const demo = await readDemo(dataDir)
  const scheme = filled(env.AUTH_SCHEMES)?.split(',')[0]?.trim() ?? demo?.auth_scheme ?? 'Comporta'
  if (key !== undefined && named === undefined) {
    const address = addressOf(url ?? demo?.base_url ?? urlDefault)
    const ofDemo =
      address === demo?.base_url ? demo.merchants.find(({ api_key }) => api_key === key) : undefined
    return {
      url: address,
      isFromFile: url === undefined && demo !== undefined,
      authorization: `${scheme} ${key}`,
      esbToken: filled(env.COMPORTA_ESB_TOKEN) ?? ofDemo?.esb_token,
      merchant: ofDemo,
    }
  }
  if (input.value('key') !== undefined) throw new UsageError('--key and --merchant exclude each other')
  if (demo === undefined) {
    throw new CliError(
      'no_key',
      `there is no API key: give --key or COMPORTA_API_KEY, or start a sandbox, which writes keys to ${join(dataDir, demoFileName)}`,
    )
  }
  if (url !== undefined && addressOf(url) !== demo.base_url) {
    throw new CliError(
      'no_key',
      `${addressOf(url)} is not the gateway of ${join(dataDir, demoFileName)} (${demo.base_url}): give its API key by --key or COMPORTA_API_KEY`,
    )
  }
  const merchant = merchantOf(demo, named)
  return {
    url: demo.base_url,
    isFromFile: true,
    authorization: `${scheme} ${merchant.api_key}`,
    esbToken: merchant.esb_token,
    merchant,
  }
}

function filled(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text?.trim()
}

async function readDemo(dataDir: string): Promise<DemoDocument | undefined> {
  const path = join(dataDir, demoFileName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const document = demoDocumentIn(text)
  if (document.ok) return document.value
  throw new CliError(
    'no_key',
    `${path} cannot be used: ${document.refusal}; run comporta demo to write it again`,
  )
}

function merchantOf({ merchants }: DemoDocument, named: string | undefined): DemoMerchant {
  const found = merchants.find(
    ({ name, wallet_id, public_id }) =>
      named === undefined ||
      name.toLowerCase() === named.toLowerCase() ||
      String(wallet_id) === named ||
      public_id === named,
  )
  if (found !== undefined) return found
  const known = merchants.map(({ name, wallet_id }) => `${name} (${wallet_id})`).join(', ')
  throw new UsageError(`--merchant takes one of ${known}; not ${JSON.stringify(named)}`)
}

function addressOf(text: string): string {
  const url = URL.parse(text)
  if (text.includes('@'))
    throw new UsageError(
      'the address of the gateway must not contain a user or password: the API key identifies you',
    )
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(
      `--url takes an http address such as https://pay.example.com; not ${JSON.stringify(text)}`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
