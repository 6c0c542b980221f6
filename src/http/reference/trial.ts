// Prefilled values of the reference page in the sandbox.
import type { FastifyInstance } from 'fastify'

export interface TrialKeys {
  readonly authorization: string
  readonly apiKey: string
  readonly esbToken: string
}

/** The header of the ESB token for pages, which cannot send `Proxy-Authorization`. */
export const plainEsbHeader = 'X-ESB-Token'

interface Listed {
  readonly elements?: readonly Record<string, unknown>[]
}

const lists = [
  ['/api/v2/operations', '?limit=1&type=PAYMENT', (element: Record<string, unknown>) => element.id],
  ['/api/v2/authorizations', '?limit=1', (element: Record<string, unknown>) => element.id],
  ['/api/v2/payment_links', '?limit=1', (element: Record<string, unknown>) => element.id],
  ['/api/v2/payouts', '?limit=1', (element: Record<string, unknown>) => element.id],
  ['/api/v2/mandate/mbway', '?limit=1', (element: Record<string, unknown>) => element.mandate_id],
  [
    '/api/v2/subscriptions',
    '?limit=1',
    (element: Record<string, unknown>) => (element.subscription as { id: unknown }).id,
  ],
] as const

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: { readonly esbToken: object } }
}

export async function documentToTry(
  app: FastifyInstance,
  document: object,
  { authorization }: TrialKeys,
): Promise<object> {
  const { paths, components } = document as Document
  const found = await Promise.all(
    lists.map(async ([path, query, idOf]) => {
      const { payload } = await app.inject({ url: path + query, headers: { authorization } })
      const [newest] = (JSON.parse(payload) as Listed).elements ?? []
      return newest === undefined ? [] : [[path, idOf(newest)] as const]
    }),
  )
  const ids = found.flat()
  const filled = Object.entries(paths).map(([path, operations]) => {
    const [, id] = ids.find(([beginning]) => path.startsWith(`${beginning}/{id}`)) ?? []
    return [path, id === undefined ? operations : withId(operations, id)]
  })
  const { securitySchemes } = components
  const esbToken = { ...securitySchemes.esbToken, name: plainEsbHeader }
  return {
    ...document,
    paths: Object.fromEntries(filled),
    components: { ...components, securitySchemes: { ...securitySchemes, esbToken } },
  }
}

function withId(operations: Readonly<Record<string, Operation>>, id: unknown): object {
  const filled = Object.entries(operations).map(([method, operation]) => [
    method,
    {
      ...operation,
      parameters: operation.parameters?.map((one) =>
        one.in === 'path' && one.name === 'id' ? { ...one, example: id } : one,
      ),
    },
  ])
  return Object.fromEntries(filled)
}
