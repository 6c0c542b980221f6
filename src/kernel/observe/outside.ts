// Work for many, begun by whoever comes first.
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * `outside(work)` runs `work` as if nobody had asked for it: outside of the caller's trace and transaction, and of whatever else
 * follows a caller through what it begins. Loaded at the start, when nothing does.
 */
export const outside: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
