// GET /api/v2/audit/head: the signed end of a wallet's chain.
import { Type } from 'typebox'
import { type App, answers, callerOf, dateOnWire, exampleMoment, momentField } from '../http/index.ts'
import { unwrap } from '../kernel/result.ts'
import { type HeadDeps, publicKeys, walletHead } from './heads.ts'
import type { Signing } from './signing.ts'

const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const hashField = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description, examples: [exampleHash] })

const keySchema = Type.Object(
  {
    key: Type.Integer({ description: 'Number of the key.' }),
    public_key: Type.String({ description: 'Ed25519 public key in PEM.' }),
  },
  { title: 'AuditKey', description: 'Public key of signed heads, current or earlier.' },
)

const answerSchema = Type.Object(
  {
    wallet: Type.String({ description: 'Number of your wallet.', examples: ['1000'] }),
    number: Type.Integer({ description: 'Number of the link: 1, 2, …' }),
    hash: hashField('SHA-256 over the previous link and the records since then.'),
    postings: Type.Integer({ description: 'Number of postings of your operations that the head covers.' }),
    events: Type.Integer({ description: 'Number of your events that the head covers.' }),
    through: Type.Optional(
      momentField(
        'All your records before this moment are included. Absent while the gateway chains records from before the chain existed.',
      ),
    ),
    complete_through: Type.Optional(
      momentField('You have no records between the head and this moment. Not signed.'),
    ),
    gateway: Type.Object(
      {
        number: Type.Integer({ description: 'Number of the batch.' }),
        hash: hashField('SHA-256 over the previous batch and the links of all wallets.'),
      },
      { title: 'GatewayHead', description: 'Head of the whole gateway at the time of signing.' },
    ),
    key: Type.Integer({ description: 'Number of the signing key.' }),
    signature: Type.String({ description: 'Ed25519 over `signed`, in base64.' }),
    signed: Type.String({ description: 'The signed text, byte for byte, with line ends.' }),
    keys: Type.Array(keySchema, { description: 'All keys so far, newest last.' }),
  },
  { title: 'AuditHead', description: 'Signed end of the history of your wallet.' },
)

const exampleGateway = { number: 4211, hash: exampleHash }
const answerExample = {
  wallet: '1000',
  number: 87,
  hash: exampleHash,
  postings: 1204,
  events: 655,
  through: exampleMoment,
  complete_through: exampleMoment,
  gateway: exampleGateway,
  key: 1,
  signature: `${'A'.repeat(86)}==`,
  signed: `comporta head 1\nwallet 1000\nnumber 87\nhash ${exampleHash}\npostings 1204\nevents 655\nthrough 2026-03-01T18:30:00.000Z\ngateway 4211 ${exampleHash}\nkey 1\n`,
  keys: [
    {
      key: 1,
      public_key: `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${'A'.repeat(43)}=\n-----END PUBLIC KEY-----\n`,
    },
  ],
}

export function headRoutes(deps: HeadDeps, signing: Signing): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/audit/head',
      {
        config: { auth: { permission: 'operations' }, refusals: ['not_found'] },
        schema: {
          operationId: 'getAuditHead',
          summary: 'Read the signed head of your history',
          description:
            'The gateway chains every posting and event of your wallet by hash within two minutes. Keep one head per day outside of the gateway. It proves that no earlier record was changed. `not_found` until one minute after your first payment.',
          tags: ['Audit'],
          response: answers(answerSchema, answerExample),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const head = unwrap(await walletHead(deps, walletId))
        return {
          wallet: String(head.walletId),
          number: Number(head.number),
          hash: head.hash,
          postings: Number(head.postings),
          events: Number(head.events),
          ...(head.committedUntil !== undefined && { through: dateOnWire(head.committedUntil) }),
          ...(head.completeUntil !== undefined && { complete_through: dateOnWire(head.completeUntil) }),
          gateway: { number: Number(head.gateway.number), hash: head.gateway.hash },
          key: head.key,
          signature: head.signature,
          signed: head.signed,
          keys: (await publicKeys(deps.database, signing)).map(({ key, publicKey }) => ({
            key,
            public_key: publicKey,
          })),
        }
      },
    )
  }
}
