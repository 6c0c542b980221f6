// What every route of the sandbox has in common: open to all, and as fast as whoever tests with it likes.

/** JSON for tests. */
export const sandboxJson = { config: { auth: 'none', unlimited: true }, schema: { hide: true } } as const

/** Pages for people. */
export const sandboxPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
} as const
