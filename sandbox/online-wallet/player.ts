// The player that simulates PayPal (method PAYPAL).
import type { CreatePlayer } from '../player.ts'
import { createEndAccount } from './accounts.ts'
import { onlineWalletApi } from './api.ts'
import { createDecide } from './decide.ts'
import { createOnlineWallet } from './rail.ts'
import { createReversalNotices, createReversals } from './reversals.ts'
import { onlineWalletRoutes } from './routes.ts'

export const playOnlineWallet: CreatePlayer = (context) => ({
  rails: { onlineWallet: createOnlineWallet(context) },
  workers: (notices) => ({ online_wallet_notices: createReversalNotices(context, notices) }),
  routes({ notices }) {
    const decide = createDecide(context.database, notices)
    const reversals = createReversals(context, notices)
    const endAccount = createEndAccount(context.database, notices)
    return [
      onlineWalletRoutes(context, decide, reversals),
      onlineWalletApi(context, decide, reversals, endAccount),
    ]
  },
})
