// Graceful stop (CONTRACT section 1).
import type { App } from './types.ts'

const pollEveryMs = 50

/** Finishes running requests. After `graceMs` it cuts the connections. */
export async function drain(app: App, { graceMs }: { readonly graceMs: number }): Promise<void> {
  app.http.draining = true
  // Node closes idle connections only once. Connections that become idle later would wait for their time-out.
  const poll = setInterval(() => app.server.closeIdleConnections(), pollEveryMs)
  const giveUp = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearInterval(poll)
    clearTimeout(giveUp)
  }
}
