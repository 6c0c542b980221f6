// Every step that the sandbox's tables have gone through, in order, in a schema and with a record of their own.
import { migrationList } from '../../src/storage/index.ts'
import * as tables from './0001-tables.ts'
import * as namesOfTheTrade from './0002-names-of-the-trade.ts'
import * as chaos from './0003-chaos.ts'
import * as phoneLocks from './0004-phone-locks.ts'
import * as walletReversals from './0005-wallet-reversals.ts'

export const sandboxMigrations = migrationList(
  {
    '0001-tables': tables.sql,
    '0002-names-of-the-trade': namesOfTheTrade.sql,
    '0003-chaos': chaos.sql,
    '0004-phone-locks': phoneLocks.sql,
    '0005-wallet-reversals': walletReversals.sql,
  },
  'sandbox',
)
