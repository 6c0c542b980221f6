// Load on one address of the gateway, and what its process needs meanwhile.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 2xx, and requests without an answer. */
  readonly failures: number
  /** Largest resident memory seen, in MiB. */
  readonly memoryMb: number
}

export interface Load {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  /** In place of one request: the requests that each connection makes in turn. */
  readonly requests?: readonly autocannon.Request[]
  readonly connections: number
  readonly seconds: number
  /** Process whose memory is watched. */
  readonly pid: number
}

const memorySampleMs = 200

/** Sends requests as fast as `connections` connections carry them. */
export async function runLoad({ pid, seconds, requests, ...load }: Load): Promise<LoadResult> {
  let memoryMb = residentMb(pid)
  const sampling = setInterval(() => {
    memoryMb = Math.max(memoryMb, residentMb(pid))
  }, memorySampleMs)
  const turns = requests === undefined ? {} : { requests: [...requests] }
  const result = await autocannon({ ...load, ...turns, duration: seconds })
  clearInterval(sampling)
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    memoryMb,
  }
}

/** Resident memory of a process; 0 where the system does not tell. */
function residentMb(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}
