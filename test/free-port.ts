// Ports for servers that stop and start again at the same address.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The system takes ports above this range for connections. Such a connection could take the port while the server is
 * down.
 */
const lowest = 10_240
const highest = 32_000
const attemptsMax = 50

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
