// Example callbacks of the API reference.
import { Type } from 'typebox'
import { type DescribedWebhook, exampleId, exampleMoment, idField, momentField } from '../http/index.ts'
import { exampleMethod } from '../methods/list.ts'

export const operationCallbackExample = {
  amount: 10.5,
  create_date: exampleMoment,
  currency: 'EUR',
  event: 'COMPLETED',
  ext_customerid: null,
  ext_email: 'ana@example.com',
  ext_invoiceid: '2026-0042',
  method: exampleMethod,
  modified_date: '2026-03-01T18:31:12+0000',
  operation_id: exampleId,
  operation_status: 'COMPLETED',
  user: 1000,
  type: 'PAYMENT',
}
const pingSchema = Type.Object(
  {
    event: Type.Literal('ping', { description: 'Always ping.' }),
    type: Type.Literal('PING', { description: 'Always PING.' }),
    ping_id: idField('Id of the event.'),
    user: Type.Integer({ description: 'Number of the wallet.' }),
    create_date: momentField('Time of sending.'),
  },
  { title: 'PingCallback', description: 'A test of the callback address.' },
)

export const callbackDocs: Readonly<Record<string, DescribedWebhook>> = {
  ping: {
    summary: 'Test of the address',
    description: 'Sent from the backoffice, to test the answer and the signature check of your program.',
    body: pingSchema,
    examples: {
      ping: {
        summary: 'A test',
        value: { event: 'ping', type: 'PING', ping_id: exampleId, user: 1000, create_date: exampleMoment },
      },
    },
  },
}
