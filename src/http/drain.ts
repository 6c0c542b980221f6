// Stopping: requests in progress are answered before connections are closed (CONTRACT section 1).
import type { App } from './types.ts'

/** How often connections that have become idle are closed. */
const lookEveryMs = 50

/**
 * Stops accepting, lets requests in flight finish, and closes. What is not done after `graceMs` is cut off.
 * Resolves when every connection is closed.
 */
export async function drain(app: App, { graceMs }: { readonly graceMs: number }): Promise<void> {
  app.http.draining = true
  // Node closes connections that are idle now; those that become idle later would wait for their timeout.
  const looking = setInterval(() => app.server.closeIdleConnections(), lookEveryMs)
  const giveUp = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearInterval(looking)
    clearTimeout(giveUp)
  }
}
