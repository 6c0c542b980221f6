// The entry point of the chain: postings and events under signed hashes, so that no change goes unnoticed.
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
  prove(given: string, walletId: bigint | undefined): Promise<Result<Proof>>
  head(): Promise<SignedHead | undefined>
  headOf(walletId: bigint): Promise<Result<WalletHead>>
  keys(): Promise<{ key: number; publicKey: string }[]>
  nextKey(): Promise<number>
}

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
