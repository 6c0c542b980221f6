// GET /api/v2/request_log: recent requests of the wallet's programs.
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  clampedTo,
  dateOnWire,
  documented,
  exampleId,
  exampleMoment,
  idField,
  momentField,
} from '../http/index.ts'
import { isUuid } from '../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import type { ListedRequest, RequestFilter, RequestPage } from './store.ts'

const limitDefault = 100
const limitMax = 100

const requestSchema = Type.Object(
  {
    tid: idField('The `tid` of its answer. Equals `X-Request-Id`.'),
    date: momentField('Time of the answer.'),
    key: Type.String({ description: 'Id of the API key: its 8 letters in the middle.' }),
    method: Type.String({ description: 'HTTP method, such as `POST`.' }),
    path: Type.String({ description: 'Path and query of the request, without secrets.' }),
    status: Type.Integer({ description: 'HTTP status of the answer.' }),
    code: Type.Optional(Type.Integer({ description: 'Error code, if it was refused.' })),
    duration_ms: Type.Integer({ description: 'Milliseconds from arrival to answer.' }),
  },
  { title: 'LoggedRequest', description: 'A request of one of your programs.' },
)

const answerSchema = Type.Object(
  {
    requests: Type.Array(requestSchema, { description: 'Matching requests, newest first.' }),
    next: Type.Optional(
      idField(
        'Send it as `after` to get the next page. Absent at the end. A page may be empty and still have it.',
      ),
    ),
    days: Type.Integer({ description: 'Number of days that requests are kept. 0: the log is off.' }),
  },
  { title: 'RequestLogPage', description: 'Recent requests.' },
)

const answerExample = {
  requests: [
    {
      tid: exampleId,
      date: exampleMoment,
      key: 'Xy12Zz89',
      method: 'POST',
      path: '/api/v2/checkout',
      status: 400,
      code: 10002,
      duration_ms: 4,
    },
  ],
  days: 7,
}

const query = Type.Object({
  status: Type.Optional(
    Type.String({
      description: 'Filter: first digit of the status: 2, 3, 4 or 5.',
      ...documented({ type: 'integer', minimum: 2, maximum: 5 }),
    }),
  ),
  method: Type.Optional(Type.String({ description: 'HTTP method, such as `POST`.' })),
  path: Type.Optional(Type.String({ description: 'Filter: start of the path, such as `/api/v2/checkout`.' })),
  key: Type.Optional(Type.String({ description: 'Filter: id of the API key.' })),
  after: Type.Optional(
    Type.String({ description: '`next` of the previous answer.', ...documented({ format: 'uuid' }) }),
  ),
  limit: Type.Optional(
    Type.String({
      description: `Number of requests, 1 to ${limitMax}. Default: ${limitMax}. Larger numbers count as ${limitMax}.`,
      ...documented({ type: 'integer', minimum: 1, default: limitDefault }),
      ...clampedTo(limitMax),
    }),
  ),
})

export interface RequestLogReads {
  readonly days: number
  list(
    walletId: bigint,
    filter: RequestFilter,
    page: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<RequestPage>
}

export function requestLogRoutes({ days, list }: RequestLogReads): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/request_log',
      {
        config: { auth: { permission: 'operations' }, refusals: ['invalid_parameter'], unlogged: true },
        schema: {
          operationId: 'listRequests',
          summary: 'List the recent requests of your programs',
          description:
            'All requests with a key of your wallet, newest first, with their answers. A request appears half a second after its answer and is kept for some days. The backoffice also shows the bodies.',
          tags: ['Requests'],
          querystring: query,
          response: answers(answerSchema, answerExample),
        },
      },
      async (request) => {
        const { status, method, path, key, after, limit } = request.query
        const filter = {
          statusClass: unwrap(numberOf('status', status, 2, 5)),
          method: method?.toUpperCase(),
          path,
          keyId: key,
        }
        const page = {
          before: unwrap(cursorOf(after)),
          limit: unwrap(numberOf('limit', limit, 1, limitMax)) ?? limitDefault,
        }
        const { requests, next } = await list(callerOf(request).walletId, filter, page)
        return { requests: requests.map(requestOnWire), ...(next !== undefined && { next }), days }
      },
    )
  }
}

function requestOnWire({ id, answeredAt, keyId, method, path, status, code, durationMs }: ListedRequest) {
  const head = { tid: id, date: dateOnWire(answeredAt), key: keyId, method, path, status }
  return { ...head, ...(code != null && { code }), duration_ms: durationMs }
}

function cursorOf(text: string | undefined): Result<string | undefined> {
  if (text === undefined || text === '') return ok(undefined)
  if (isUuid(text)) return ok(text.toLowerCase())
  return refuse('invalid_parameter', 'after must be next of an earlier answer, a UUID')
}

function numberOf(
  field: string,
  text: string | undefined,
  least: number,
  most: number,
): Result<number | undefined> {
  if (text === undefined || text === '') return ok(undefined)
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (value >= least && value <= most) return ok(value)
  return refuse('invalid_parameter', `${field} must be a whole number from ${least} to ${most}`)
}
