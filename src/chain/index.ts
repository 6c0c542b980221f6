// The entry point of the chain: what was written is chained by hash behind the payments, so that nobody rewrites it unseen.
import type { Registry } from 'prom-client'
import type { Result } from '../kernel/result.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Module } from '../module.ts'
import type { AuditCheck, Worker } from '../storage/index.ts'
import { type AppendDeps, createAppending } from './append.ts'
import { gatewayHead, publicKeys, type SignedHead, type WalletHead, walletHead } from './heads.ts'
import { createChainMetrics } from './metrics.ts'
import { chainChecks } from './proving/audit.ts'
import { type Proof, proveSince } from './proving/prove.ts'
import { headRoutes } from './routes.ts'
import { createSigning } from './signing.ts'
import { nextKey } from './store.ts'

export type { SignedHead } from './heads.ts'
export type { Proof } from './proving/prove.ts'

export interface ChainDeps extends Omit<AppendDeps, 'signing'> {
  readonly keyring: Keyring
  readonly metrics: Registry
}

export interface Chain extends Module {
  readonly workers: { readonly chain: Worker }
  readonly checks: readonly AuditCheck[]
  /** See {@link proveSince}. */
  prove(given: string, walletId: bigint | undefined): Promise<Result<Proof>>
  /** The head of the gateway; undefined before anything was chained. */
  head(): Promise<SignedHead | undefined>
  /** The head of a wallet; see {@link walletHead}. Refusals: not_found. */
  headOf(walletId: bigint): Promise<Result<WalletHead>>
  /** Every public key, the one in use last. */
  keys(): Promise<{ key: number; publicKey: string }[]>
  /** Has the next heads signed by another key; answers its number. */
  nextKey(): Promise<number>
}

/** Wires the module. */
export function createChain(deps: ChainDeps): Chain {
  const { database } = deps
  const signing = createSigning(deps.keyring)
  createChainMetrics(deps)
  const comparing = { signing, clock: deps.clock, kind: database.kind }
  const { worker, catchUp } = createAppending({ ...deps, signing })
  return {
    workers: { chain: worker },
    checks: chainChecks(comparing, catchUp),
    routes: headRoutes(deps, signing),
    prove: (given, walletId) => proveSince(database, comparing, given, walletId),
    head: () => gatewayHead(database),
    headOf: (walletId) => walletHead(deps, walletId),
    keys: () => publicKeys(database, signing),
    nextKey: () => nextKey(database),
  }
}
