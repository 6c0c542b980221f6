// The kinds of flood, with their requests and connections.
import { randomBytes } from 'node:crypto'

export interface Flood {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  /** The most requests per second over all connections. With more, the test would measure the sender. */
  readonly perSecond: number
  readonly requests: readonly string[]
  readonly bodyBytes: number
  readonly slowly: boolean
}

export interface Target {
  readonly port: number
  readonly apiKey: string
  readonly page: string
}

type Kind = Omit<Flood, 'port' | 'seconds'>

const usual = { connections: 64, perSecond: 2_000, bodyBytes: 0, slowly: false }
const differentKeys = 500
const largeBodyBytes = 20 * 1024 * 1024
const slowConnections = 2_000

const request = (line: string, headers: readonly string[] = []) =>
  `${[`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`
const authorization = (key: string) => `Authorization: Comporta ${key}`

export function floodsOf({ apiKey, page }: Target): Readonly<Record<string, Kind>> {
  const inventedKeys = Array.from(
    { length: differentKeys },
    () => `${apiKey.slice(0, -16)}${randomBytes(8).toString('hex')}`,
  )
  const large = [authorization(apiKey), 'Content-Type: application/json', `Content-Length: ${largeBodyBytes}`]
  return {
    'one key over its limit': {
      ...usual,
      requests: [request('GET /api/v2/operations', [authorization(apiKey)])],
    },
    'keys that nobody has': {
      ...usual,
      requests: inventedKeys.map((key) => request('GET /api/v2/operations', [authorization(key)])),
    },
    'pages of a checkout': { ...usual, requests: [request(`GET ${page}`, ['Accept: text/html'])] },
    'requests that never end': {
      ...usual,
      connections: slowConnections,
      requests: [request('POST /api/v2/checkout', ['Content-Type: application/json', 'Content-Length: 900'])],
      slowly: true,
    },
    'bodies of 20 MiB': {
      ...usual,
      requests: [request('POST /api/v2/checkout', large)],
      bodyBytes: largeBodyBytes,
    },
  }
}
