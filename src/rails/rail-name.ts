// The names of the rail contracts, without imports for browser scripts.

export type RailName =
  | 'acquirer'
  | 'threeDSecure'
  | 'mobileWallet'
  | 'onlineWallet'
  | 'directDebit'
  | 'creditTransfer'
  | 'referenceNetwork'
