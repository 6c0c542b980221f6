// List of players with one method each.
import { playOnlineWallet } from './online-wallet/player.ts'
import type { CreatePlayer } from './player.ts'

export const players: readonly CreatePlayer[] = [playOnlineWallet]
