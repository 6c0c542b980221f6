// The gateway's callbacks as OpenAPI webhooks.
import type { App } from '../types.ts'
import { plainSchema } from './plain.ts'

export interface DescribedWebhook {
  readonly summary: string
  readonly description: string
  readonly body: object
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>
}

export function describeWebhooks(app: App, webhooks: Readonly<Record<string, DescribedWebhook>>): void {
  for (const [name, webhook] of Object.entries(webhooks)) app.http.webhooks.set(name, webhook)
}

const deliveryHeaders = [
  ['Authorization', 'Callback user and password of the merchant: `Basic base64(user:password)`.'],
  ['webhook-id', 'Id of the event. The same at each attempt: use it to ignore a second delivery.'],
  ['webhook-timestamp', 'Time of sending, in seconds since 1970.'],
  [
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64 (Standard Webhooks).',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

export function webhooksOf(webhooks: ReadonlyMap<string, DescribedWebhook>): Record<string, object> {
  return Object.fromEntries(
    [...webhooks].map(([name, { summary, description, body, examples }]) => [
      name,
      {
        post: {
          operationId: `${name}Callback`,
          summary,
          description,
          tags: ['Callbacks'],
          security: [],
          parameters: deliveryHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: plainSchema(body), examples } },
          },
          responses: {
            '2XX': { description: 'Received. The gateway does not send it again.' },
            410: { description: 'Rejected for good. The gateway does not send it again.' },
            default: {
              description: 'Any other answer, or none within 15 seconds. The gateway sends it again later.',
            },
          },
        },
      },
    ]),
  )
}
