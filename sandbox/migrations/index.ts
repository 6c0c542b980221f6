// Migrations of the sandbox's own schema.
import { migrationList } from '../../src/storage/index.ts'
import * as baseline from './0001-baseline.ts'
import * as walletHolds from './0002-wallet-holds.ts'
import * as savedAccounts from './0003-saved-accounts.ts'
import * as postBox from './0004-post-box.ts'
import * as accountMail from './0005-account-mail.ts'

export const sandboxMigrations = migrationList(
  {
    '0001-baseline': baseline.sql,
    '0002-wallet-holds': walletHolds.sql,
    '0003-saved-accounts': savedAccounts.sql,
    '0004-post-box': postBox.sql,
    '0005-account-mail': accountMail.sql,
  },
  'sandbox',
)
