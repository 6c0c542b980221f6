// Accounts, sessions, authenticator apps and passkeys, by better-auth (docs/decisions/0019).
import { CamelCasePlugin, type Kysely, type KyselyPlugin } from 'kysely'
import { deriveKey } from '../../kernel/sealing.ts'
import type { Core } from '../../module.ts'
import type { Database } from '../../storage/index.ts'
import { hashPassword, passwordLengthMax, passwordLengthMin, verifyPassword } from './passwords.ts'
import { cookieRules } from './sign-in/cookies.ts'

export type AuthOptions = Pick<Core, 'database' | 'random' | 'keyring' | 'baseUrl'>

/** The prefix of the library's endpoints. auth-endpoints.ts lists those that are served. */
export const authPath = '/backoffice/api/auth'

const hour = 3600
const sessionSeconds = 12 * hour
const prolongEverySeconds = hour

export type Auth = Awaited<ReturnType<typeof createAuth>>

/** Call it once, at the first sign-in: to load the library takes 0.3 seconds and 30 MB. */
export async function createAuth({ database, keyring, random, baseUrl }: AuthOptions) {
  const [{ betterAuth }, { twoFactor }, { passkey }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins'),
    import('@better-auth/passkey'),
  ])
  const { hostname, origin } = new URL(baseUrl)
  const cookies = cookieRules(baseUrl)
  return betterAuth({
    appName: 'Comporta',
    baseURL: baseUrl,
    basePath: authPath,
    secret: deriveKey(keyring, 'backoffice sessions').toString('base64'),
    database: { db: accountsDatabase(database), type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    // The gateway limits tries in sign-in-limits.ts (docs/decisions/0021).
    rateLimit: { enabled: false },
    logger: { disabled: true },
    trustedOrigins: [origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: { hash: (password) => hashPassword(random, password), verify: verifyPassword },
    },
    user: { modelName: 'users' },
    session: {
      modelName: 'sessions',
      expiresIn: sessionSeconds,
      updateAge: prolongEverySeconds,
      freshAge: 0,
    },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    advanced: {
      cookiePrefix: cookies.prefix,
      // The library's own prefix, __Secure-, would accept cookies from other hosts of the domain.
      useSecureCookies: false,
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'strict',
        path: cookies.path,
        secure: cookies.isSecure,
      },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      twoFactor({ issuer: 'Comporta', schema: { twoFactor: { modelName: 'twoFactors' } } }),
      passkey({
        rpID: hostname,
        rpName: 'Comporta',
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        origin,
        schema: { passkey: { modelName: 'passkeys', fields: { credentialID: 'credentialId' } } },
      }),
    ],
  })
}

/** The gateway always sets this header, so that clients cannot choose their address. */
export const addressHeader = 'x-comporta-address'

/** The tables of the schema `backoffice`, with names in camel case and moments as `Date`. */
// biome-ignore lint/suspicious/noExplicitAny: the library names its tables itself
function accountsDatabase({ kysely }: Database): Kysely<any> {
  return kysely.withSchema('backoffice').withPlugin(new CamelCasePlugin()).withPlugin(momentsAsDates)
}

/** Names of columns with moments, which our parsers read as milliseconds. */
const isMoment = /(?:At|Until)$/

const momentsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          isMoment.test(name) && typeof value === 'number' ? new Date(value) : value,
        ]),
      ),
    ),
  }),
}
