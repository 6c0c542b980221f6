// Every step that the sandbox's tables have gone through, in order, in a schema and with a record of their own.
import { migrationList } from '../../src/storage/index.ts'
import * as baseline from './0001-baseline.ts'

export const sandboxMigrations = migrationList({ '0001-baseline': baseline.sql }, 'sandbox')
