// The names of the rail contracts. The file imports nothing, so that browser scripts can use it.

export type RailName =
  | 'acquirer'
  | 'threeDSecure'
  | 'mobileWallet'
  | 'onlineWallet'
  | 'directDebit'
  | 'creditTransfer'
  | 'referenceNetwork'
