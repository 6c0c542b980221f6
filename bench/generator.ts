// Load generator: sends prepared requests and measures the answers.
import { type BareAnswer, type BareConnection, openConnection } from '../test/bare-connection.ts'
import type { Load, LoadResult } from './load.ts'

const answerMsMax = 40_000

process.on('message', async (load: Load) => process.send?.(await run(load)))
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit())

async function run(load: Load): Promise<LoadResult> {
  const { port, connections, seconds = Number.POSITIVE_INFINITY, total = Number.POSITIVE_INFINITY } = load
  const requests = load.requests.map((request) => Buffer.from(request, 'latin1'))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const beganAt = Date.now()
  const end = began + seconds * 1000
  let sent = 0
  let lastAnswer = began

  function count(status: string): void {
    statuses[status] = (statuses[status] ?? 0) + 1
    lastAnswer = performance.now()
  }

  function connection(): Promise<void> {
    return new Promise((resolve) => {
      let sentAt = 0
      let following = false
      const timer = setTimeout(() => give('no answer'), Math.min(seconds, 600) * 1000 + answerMsMax)

      function give(status: string): void {
        clearTimeout(timer)
        if (sentAt !== 0) count(status)
        open.close()
        resolve()
      }

      function next(): void {
        if (sent >= total || performance.now() >= end) {
          sentAt = 0
          return give('')
        }
        sentAt = performance.now()
        open.send(requests[sent++ % requests.length] as Buffer)
      }

      function onAnswer(answer: BareAnswer): void {
        if (load.follow !== undefined && !following && answer.status === 200) {
          following = true
          open.send(followUp(load.follow, answer))
          return
        }
        following = false
        latencies.push(performance.now() - sentAt)
        count(String(answer.status))
        next()
      }

      const open: BareConnection = openConnection(port, { onOpen: next, onAnswer, onEnd: give })
    })
  }

  await Promise.all(Array.from({ length: connections }, connection))
  latencies.sort((one, other) => one - other)
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    answers: latencies.length,
    statuses,
    seconds: (lastAnswer - began) / 1000,
    beganAt,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuSeconds: (user + system) / 1e6,
  }
}

const idPattern = /"id":"([^"]+)"/

function followUp(request: string, { body }: BareAnswer): Buffer {
  return Buffer.from(request.replace(':id', idPattern.exec(body)?.[1] ?? ''), 'latin1')
}
