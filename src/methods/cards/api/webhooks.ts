// The callback of a card that was stored, or was not, for the API reference.
import { Type } from 'typebox'
import { type DescribedWebhook, exampleId, idField, wordField } from '../../../http/index.ts'

const storedSchema = Type.Object(
  {
    type: Type.Literal('ADD_CARD', { description: 'Always ADD_CARD.' }),
    event: wordField(['COMPLETED', 'FAIL'], 'Whether it was stored.'),
    token: Type.Optional(Type.String({ description: 'Identifies the card, in upper case.' })),
    request_id: idField('The `request_id` with which it was to be stored.'),
  },
  { title: 'CardStoredCallback', description: 'A card was stored, or was not.' },
)

const failed = { type: 'ADD_CARD', event: 'FAIL', request_id: exampleId }

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  cardStored: {
    summary: 'A card was stored, or was not',
    description: 'Sent to the address for cards of the wallet, or to its other address where there is none.',
    body: storedSchema,
    examples: {
      COMPLETED: {
        summary: 'It was stored',
        value: { ...failed, event: 'COMPLETED', token: exampleId.toUpperCase() },
      },
      FAIL: { summary: 'The customer could not be authenticated', value: failed },
    },
  },
}
