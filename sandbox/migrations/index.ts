// Migrations of the sandbox's own schema.
import { migrationList } from '../../src/storage/index.ts'
import * as baseline from './0001-baseline.ts'
import * as walletHolds from './0002-wallet-holds.ts'
import * as postBox from './0003-post-box.ts'

export const sandboxMigrations = migrationList(
  { '0001-baseline': baseline.sql, '0002-wallet-holds': walletHolds.sql, '0003-post-box': postBox.sql },
  'sandbox',
)
