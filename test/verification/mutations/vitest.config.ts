// Settings of the tests for Stryker: the tests of one area, with newly loaded modules.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: process.env.MUTATED_WITH_DATABASE === 'true' ? ['./test/global-setup.ts'] : [],
    include: JSON.parse(process.env.MUTATED_TESTS ?? '[]'),
    exclude: ['**/node_modules/**'],
    isolate: true,
    restoreMocks: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
