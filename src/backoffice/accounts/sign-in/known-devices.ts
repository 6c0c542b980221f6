// Browsers that signed in to an account before, marked by a signed cookie.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Randomness } from '../../../kernel/random.ts'
import { deriveKey, type Keyring } from '../../../kernel/sealing.ts'
import { type Clock, day, second } from '../../../kernel/time.ts'
import { cookieRules, cookiesIn } from './cookies.ts'

const keptForMs = 180 * day
const accountsMax = 8
const idBytes = 16
/** The length of the digest of an account. It is long enough to avoid collisions. */
const markLength = 16

export interface KnownDevices {
  /** The id of a browser known to this account, or to any if none is given. `header`: `Cookie`. */
  idOf(header: string | undefined, account: string | undefined): string | undefined
  remember(header: string | undefined, account: string): string
}

interface Device {
  readonly id: string
  readonly marks: readonly string[]
}

export function createKnownDevices(deps: {
  readonly keyring: Keyring
  readonly clock: Clock
  readonly random: Randomness
  readonly baseUrl: string
}): KnownDevices {
  const key = deriveKey(deps.keyring, 'backoffice devices')
  const { prefix, path, isSecure } = cookieRules(deps.baseUrl)
  const name = `${prefix}.device`
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const markOf = (account: string) => digestOf(`account ${account.trim().toLowerCase()}`).slice(0, markLength)

  function deviceIn(header: string | undefined): Device | undefined {
    const [id = '', marks = '', until = '', signature = ''] = cookiesIn(header, name)[0]?.split('.') ?? []
    const wanted = Buffer.from(digestOf(`device ${id}.${marks}.${until}`))
    const got = Buffer.from(signature)
    if (got.length !== wanted.length || !timingSafeEqual(got, wanted)) return undefined
    return Number(until) * second > deps.clock.now() ? { id, marks: marks.split('~') } : undefined
  }

  return {
    idOf(header, account) {
      const device = deviceIn(header)
      if (device === undefined) return undefined
      return account === undefined || device.marks.includes(markOf(account)) ? device.id : undefined
    },
    remember(header, account) {
      const known = deviceIn(header)
      const id = known?.id ?? Buffer.from(deps.random.bytes(idBytes)).toString('base64url')
      const mark = markOf(account)
      const others = (known?.marks ?? []).filter((one) => one !== mark)
      const marks = [mark, ...others].slice(0, accountsMax).join('~')
      const said = `${id}.${marks}.${Math.floor((deps.clock.now() + keptForMs) / second)}`
      const attributes = `Path=${path}; Max-Age=${keptForMs / second}; HttpOnly; SameSite=Strict`
      return `${name}=${said}.${digestOf(`device ${said}`)}; ${attributes}${isSecure ? '; Secure' : ''}`
    },
  }
}
