// The one list of players; `index.ts` opens those that play more than one method, such as the issuer of cards and the bank.
import { playOnlineWallet } from './online-wallet/player.ts'
import type { CreatePlayer } from './player.ts'

export const players: readonly CreatePlayer[] = [playOnlineWallet]
