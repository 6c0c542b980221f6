// Process that rotates a vault's master key until a test kills it.
import { openPostgres } from '../../src/storage/index.ts'
import { openVault } from './world.ts'

const [url = '', path = ''] = process.argv.slice(2)
const database = openPostgres({ url })
const { rotation } = await openVault(database, path)
await rotation.rotate()
await database.close()
