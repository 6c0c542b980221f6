// Reading the account of a refund of a bank reference.
import { Type } from 'typebox'
import { findBankOrder, maskedIban } from '../../../bank-files/index.ts'
import {
  type App,
  answers,
  callerOf,
  dateOnWire,
  dayField,
  exampleMoment,
  idField,
  idOf,
  idParameter,
  momentField,
  wordField,
} from '../../../http/index.ts'
import { deny, unwrap } from '../../../kernel/result.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { ReferenceRefunds } from './refund.ts'
import { pageStateOf } from './rules.ts'
import { findAccountRefund } from './store.ts'

const states = { open: 'WAITING', named: 'NAMED', ended: 'ENDED' } as const

const accountSchema = Type.Object(
  {
    operation_id: idField('The refund.'),
    status: wordField(
      Object.values(states),
      'WAITING: the payer has not named the account yet. NAMED: the account is known. ENDED: the page ended unused, and the refund failed.',
    ),
    refund_url: Type.Optional(
      Type.String({ description: 'Only while WAITING: the page for the payer. It works once.' }),
    ),
    expires: Type.Optional(momentField('Only while WAITING: the last moment of the page.')),
    iban: Type.Optional(Type.String({ description: 'IBAN of the account, partly hidden.' })),
    name: Type.Optional(Type.String({ description: 'Name of the account holder, as it was typed.' })),
    execution_date: Type.Optional(dayField('Day of execution at the bank.')),
  },
  { title: 'RefundAccount', description: 'The account to which a refund goes.' },
)

export function refundAccountRoutes(
  { database, clock }: MultibancoDeps,
  refunds: ReferenceRefunds,
): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/operations/:id/refund_account',
      {
        // The link can direct money, so the permission to read is not enough.
        config: { auth: { permission: 'refund' }, refusals: ['not_found'] },
        schema: {
          operationId: 'getRefundAccount',
          summary: 'Read the account of a refund',
          description:
            'Shows the account of a refund by MB. While the payer has not named the account, the answer has the link to the page for it.',
          tags: ['Operations'],
          params: idParameter('refund'),
          response: answers(accountSchema, {
            operation_id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
            status: 'WAITING',
            refund_url: 'https://pay.example/refund/0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30/mVv0',
            expires: exampleMoment,
          }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'operation'))
        const refund =
          (await findAccountRefund(database, walletId, id)) ??
          deny('not_found', `there is no refund ${id} to an account`)
        const state = pageStateOf(refund, clock.now())
        const order = state === 'named' ? await findBankOrder(database, walletId, id) : undefined
        return {
          operation_id: id,
          status: states[state],
          ...(state === 'open' && {
            refund_url: refunds.urlOf(id),
            ...(refund.expiresAt !== undefined && { expires: dateOnWire(refund.expiresAt) }),
          }),
          ...(order !== undefined && {
            iban: maskedIban(order.party.iban),
            name: order.party.name,
            execution_date: order.dueOn,
          }),
        }
      },
    )
  }
}
