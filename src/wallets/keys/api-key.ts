// API keys: how they look, how they are made, and how a presented one is read (CONTRACT section 4).
import { crc32 } from 'node:zlib'
import { type Randomness, randomBase62, toBase62 } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Mode } from '../model.ts'

const idLength = 8
/** 190 bits: beyond guessing, whatever the rate. */
const secretLength = 32
/** 62⁶ is more than 2³². */
const checksumLength = 6

const prefixes: Readonly<Record<Mode, string>> = { sandbox: 'cmp_test_', production: 'cmp_live_' }
const keyPattern = /^cmp_(?:test|live)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/

/** A new key `cmp_test_<id>_<secret><checksum>` and its id. The key is shown once; only its digest is kept. */
export function mintApiKey(mode: Mode, random: Randomness): { id: string; key: string } {
  const id = randomBase62(random, idLength)
  const body = `${prefixes[mode]}${id}_${randomBase62(random, secretLength)}`
  return { id, key: body + checksumOf(body) }
}

/**
 * The id inside a presented key.
 *
 * Refusals: authentication_required when it is not of a key's form; invalid_api_key when its checksum is
 * wrong, so that a mistyped key costs no look-up, or when it belongs to the other mode.
 */
export function readApiKey(key: string, mode: Mode): Result<string> {
  const id = keyPattern.exec(key)?.[1]
  if (id === undefined) {
    return refuse(
      'authentication_required',
      `an API key looks like ${prefixes[mode]}<8 letters or digits>_<38 more>`,
    )
  }
  if (checksumOf(key.slice(0, -checksumLength)) !== key.slice(-checksumLength)) {
    return refuse('invalid_api_key', 'the API key was mistyped or cut: its checksum does not match')
  }
  if (!key.startsWith(prefixes[mode])) {
    return refuse(
      'invalid_api_key',
      `this gateway runs in ${mode} mode: its API keys begin with ${prefixes[mode]}`,
    )
  }
  return ok(id)
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), checksumLength)
}
