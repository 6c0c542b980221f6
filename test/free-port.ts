// Ports for servers that are started by number, because they are started again on the same one.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range of ephemeral ports: there, another connection could take the port
 * between this look and the server's start, or while the server is down.
 */
const lowest = 10_240
const highest = 32_000
const attemptsMax = 50

/** A port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${lowest} to ${highest}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
