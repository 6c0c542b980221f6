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
    public_key: Type.String({ description: 'Ed25519, in PEM.' }),
  },
  { title: 'AuditKey', description: 'A key by which heads are, or were, signed.' },
)

const answerSchema = Type.Object(
  {
    wallet: Type.String({ description: 'The number of your wallet.', examples: ['1000'] }),
    number: Type.Integer({ description: 'Number of the link: 1, 2, …' }),
    hash: hashField('SHA-256 over the link before and what was written since.'),
    postings: Type.Integer({ description: 'How many postings of your operations it vouches for.' }),
    events: Type.Integer({ description: 'How many events of yours it vouches for.' }),
    through: Type.Optional(
      momentField(
        'Everything of yours that happened before is in it. Absent while a gateway chains what it had before it could.',
      ),
    ),
    complete_through: Type.Optional(
      momentField('Nothing of yours happened between the head and this moment: it is not signed.'),
    ),
    gateway: Type.Object(
      {
        number: Type.Integer({ description: 'Number of the batch.' }),
        hash: hashField('SHA-256 over the batch before and the links of all wallets.'),
      },
      { title: 'GatewayHead', description: 'The head of the whole gateway when this one was signed.' },
    ),
    key: Type.Integer({ description: 'Number of the key that signed it.' }),
    signature: Type.String({ description: 'Ed25519 over `signed`, in base64.' }),
    signed: Type.String({ description: 'What is signed, byte for byte, each line with its end.' }),
    keys: Type.Array(keySchema, { description: 'Every key so far, the newest last.' }),
  },
  { title: 'AuditHead', description: 'The end of the chain of what was written in your wallet, signed.' },
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
          summary: 'Take the signed head of what was written in your wallet',
          description:
            'Every posting and event of your wallet is chained by hash within a minute or two. Keep the head of a day outside of the gateway: nobody can change what was written before it, and have a head like it. `not_found` until a minute after the first payment.',
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
          ...(head.through !== undefined && { through: dateOnWire(head.through) }),
          ...(head.completeThrough !== undefined && { complete_through: dateOnWire(head.completeThrough) }),
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
