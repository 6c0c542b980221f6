// The callback of a stored card, for the API reference.
import { Type } from 'typebox'
import { type DescribedWebhook, exampleId, idField, wordField } from '../../../http/index.ts'

const storedSchema = Type.Object(
  {
    type: Type.Literal('ADD_CARD', { description: 'Always ADD_CARD.' }),
    event: wordField(['COMPLETED', 'FAIL'], 'Result of storing the card.'),
    token: Type.Optional(
      Type.String({ description: 'Token of the card, in upper case. Only with COMPLETED.' }),
    ),
    request_id: idField('The `request_id` of the request to store the card.'),
  },
  { title: 'CardStoredCallback', description: 'The result of storing a card.' },
)

const failed = { type: 'ADD_CARD', event: 'FAIL', request_id: exampleId }

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  cardStored: {
    summary: 'Result of storing a card',
    description: 'Sent to the wallet’s address for cards. Default: the wallet’s callback address.',
    body: storedSchema,
    examples: {
      COMPLETED: {
        summary: 'The card was stored',
        value: { ...failed, event: 'COMPLETED', token: exampleId.toUpperCase() },
      },
      FAIL: { summary: 'The customer was not authenticated', value: failed },
    },
  },
}
