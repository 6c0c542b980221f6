// The contracts that a driver may implement, by name: what browser scripts may know of rails too.

export type RailName =
  | 'acquirer'
  | 'threeDSecure'
  | 'mobileWallet'
  | 'onlineWallet'
  | 'directDebit'
  | 'creditTransfer'
  | 'referenceNetwork'
