// A 3DS server over HTTP that can misbehave.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type RReq, type RRes, readMessage } from '../../src/rails/index.ts'

export interface ThreeDSServer {
  readonly reports: readonly RReq[]
  resultsUrl(transactionId: string): string
  /** Refuses the next reports: alternately 503 and a broken connection. */
  failNext(times: number): void
  forget(): void
  close(): Promise<void>
}

export async function startThreeDSServer(): Promise<ThreeDSServer> {
  const reports: RReq[] = []
  let failures = 0

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await text(request))
    const read = readMessage('RReq', body)
    const isJson = request.headers['content-type'] === 'application/json; charset=utf-8'
    const isHere = read.ok && request.url === pathOf(read.message.threeDSServerTransID)
    if (failures > 0) {
      failures -= 1
      if (failures % 2 === 0) request.socket.destroy()
      else response.writeHead(503, { 'content-type': 'application/json' }).end('{"messageType":"Erro"}')
    } else if (!isJson || !isHere) {
      response.writeHead(400).end()
    } else {
      reports.push(read.message)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answerTo(read.message)))
    }
  }

  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    reports,
    resultsUrl: (transactionId) => `http://127.0.0.1:${port}${pathOf(transactionId)}`,
    failNext(times) {
      failures = times
    },
    forget() {
      reports.length = 0
      failures = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pathOf(transactionId: string): string {
  return `/results/${transactionId}`
}

function answerTo({ messageVersion, threeDSServerTransID, dsTransID, acsTransID }: RReq): RRes {
  return {
    messageType: 'RRes',
    messageVersion,
    threeDSServerTransID,
    dsTransID,
    acsTransID,
    resultsStatus: '01',
  }
}
