// Accounts, sessions, authenticator apps and passkeys, by better-auth (docs/decisions/0019).

import { deriveKey } from '../../kernel/sealing.ts'
import type { Core } from '../../module.ts'
import { accountsDatabase } from './accounts-database.ts'
import { hashPassword, passwordLengthMax, passwordLengthMin, verifyPassword } from './passwords.ts'
import { cookieRules } from './sign-in/cookies.ts'

export type AuthOptions = Pick<Core, 'database' | 'random' | 'keyring' | 'baseUrl'>

/** Where the library's own endpoints are; {@link authPaths} says which of them are served. */
export const authPath = '/backoffice/api/auth'

const hour = 3600
const sessionSeconds = 12 * hour
/** A session in use is prolonged at most this often. */
const prolongEverySeconds = hour

export type Auth = Awaited<ReturnType<typeof createAuth>>

/** Loads the library, which takes a third of a second and 30 MB: call it once, when somebody is there to sign in. */
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
    // Requests are counted where they arrive: docs/decisions/0021.
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
      // Its own prefix would be __Secure-, which another host of the domain may set.
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

/** Set by us on what is handed to the library, whatever a client sent: the address as our own proxies' setting reads it. */
export const addressHeader = 'x-comporta-address'
