// Whether a gateway's database and keys are where the configuration looks for them.
import { existsSync } from 'node:fs'
import { type Config, embeddedDatabaseIn, restoredDatabaseIn } from '../config.ts'

export type PlaceConfig = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'masterKeyFile' | 'generatesMasterKey' | 'crashAt'
>

export const howToCreate = 'comporta serve, demo or migrate creates what is missing'

/** What is missing, with where it was looked for: a slip in DATA_DIR must not create a second, empty gateway. */
export function missingIn(config: PlaceConfig): string | undefined {
  const { databaseUrl, dataDir, masterKeyFile, generatesMasterKey } = config
  const places = [embeddedDatabaseIn(dataDir), restoredDatabaseIn(dataDir)]
  if (databaseUrl === undefined && !places.some((place) => existsSync(place)))
    return absent('database in', dataDir)
  if (generatesMasterKey && !existsSync(masterKeyFile)) return absent('master key', masterKeyFile)
  return undefined
}

function absent(what: string, where: string): string {
  return `there is no ${what} ${where}: set DATA_DIR to the folder of your gateway; ${howToCreate}`
}
