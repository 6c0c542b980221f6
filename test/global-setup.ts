// Starts one real PostgreSQL for the whole test run and tells the tests where it is.
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: ['fsync=off', 'shared_buffers=64MB'] })
  project.provide('postgresUrl', server.url('postgres'))
  return () => server.stop()
}
