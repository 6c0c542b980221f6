// Encrypted cards for a running gateway: correct ones, nearly correct ones, and hostile ones.
import fc from 'fast-check'
import { encryptCard, type Ticket } from '../../../web/secure-fields/frame/encrypt-card.ts'
import { encryptFor } from '../../../web/secure-fields/frame/jwe.ts'
import { fieldNames } from '../../../web/secure-fields/messages.ts'
import type { FuzzedGateway } from './gateway.ts'

export type Twist =
  | { readonly kind: 'none' }
  | { readonly kind: 'of two cards' }
  | { readonly kind: 'swapped' }
  | OfField

type OfField =
  | { readonly kind: 'character'; readonly field: Field; readonly at: number; readonly other: string }
  | { readonly kind: 'header'; readonly field: Field; readonly name: string; readonly value: unknown }
  | { readonly kind: 'member'; readonly field: Field; readonly name: string; readonly value: unknown }
  | { readonly kind: 'plain text'; readonly field: Field; readonly value: string }
  | { readonly kind: 'no text'; readonly field: Field; readonly value: unknown }

type Field = (typeof fieldNames)[number]

/** After one of these changes the gateway must refuse the card. */
export const neverTaken: readonly Twist['kind'][] = [
  'of two cards',
  'swapped',
  'header',
  'plain text',
  'no text',
]

const origin = 'https://shop.example'
const card = { number: '4176660000000027', valdate: '12/2030', vcode: '123', name: 'Ana Silva' }

const field = fc.constantFrom(...fieldNames)
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '\0', '\ud800', '__proto__', '9'.repeat(3_000), '['.repeat(2_000), '{}', 'null'),
)
const oddValue = fc.oneof(oddText, fc.jsonValue({ maxDepth: 2 }))

export const twists: fc.Arbitrary<Twist> = fc.oneof(
  fc.record({ kind: fc.constantFrom('none', 'of two cards', 'swapped') }),
  fc.record({
    kind: fc.constant('character'),
    field,
    at: fc.nat(700),
    other: fc.string({ unit: 'binary', maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('header'),
    field,
    name: fc.constantFrom('alg', 'enc', 'kid', 'epk', 'zip', 'crit', 'apu', 'p2c', '__proto__'),
    value: fc.oneof(
      oddValue,
      fc.constantFrom('none', 'dir', 'DEF', 'RSA1_5', { kty: 'EC', crv: 'P-256', x: '', y: '' }),
    ),
  }),
  fc.record({
    kind: fc.constant('member'),
    field,
    name: fc.constantFrom('merchant', 'session', 'field', 'origin', 'set', 'iat', 'value', '__proto__'),
    value: oddValue,
  }),
  fc.record({ kind: fc.constant('plain text'), field, value: oddText }),
  fc.record({ kind: fc.constant('no text'), field, value: oddValue }),
)

export interface CardEncryption {
  prepare(): Promise<void>
  twisted(twist: Twist): Promise<Readonly<Record<string, unknown>>>
}

export function encryptsCards(gateway: FuzzedGateway): CardEncryption {
  const [shop] = gateway.demo.merchants
  const merchant = String(shop.public_id)
  const get = async (path: string) => (await fetch(gateway.baseUrl + path)).json()

  async function ticket(): Promise<Ticket> {
    const [{ keys }, { session, now }] = (await Promise.all([
      get('/.well-known/secure-fields/jwks.json'),
      get(`/secure-fields/v1/session?merchant=${merchant}`),
    ])) as [{ keys: [Ticket['key']] }, { session: string; now: number }]
    return { key: keys[0], session, iat: now }
  }

  return {
    async prepare() {
      await gateway.command('merchant', 'set', String(shop.wallet_id), '--secure-field-origins', origin)
    },
    async twisted(twist) {
      const own = await ticket()
      const { newCardSecure: right } = await encryptCard(card, own, { merchant, origin })
      if (twist.kind === 'none') return right
      if (twist.kind === 'swapped') return { ...right, number: right.name, name: right.number }
      if (twist.kind === 'of two cards') {
        const { newCardSecure: other } = await encryptCard(card, own, { merchant, origin })
        return { ...right, vcode: other.vcode }
      }
      return { ...right, [twist.field]: await changed(twist, right[twist.field], own) }
    },
  }

  async function changed(twist: OfField, jwe: string, own: Ticket) {
    if (twist.kind === 'no text') return twist.value
    if (twist.kind === 'plain text') return encryptFor(own.key, twist.value)
    if (twist.kind === 'character') {
      const at = twist.at % jwe.length
      return jwe.slice(0, at) + twist.other + jwe.slice(at + 1)
    }
    if (twist.kind === 'member') {
      const { session, iat } = own
      const set = '00000000-0000-4000-8000-000000000000'
      const payload = { merchant, session, field: twist.field, origin, set, iat, value: card[twist.field] }
      return encryptFor(own.key, JSON.stringify({ ...payload, [twist.name]: twist.value }))
    }
    const [head = '', ...rest] = jwe.split('.')
    const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), [twist.name]: twist.value }
    return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
  }
}
