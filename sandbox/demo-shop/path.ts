// Where the demo shop is found on the gateway's own address.

export const shopPath = '/sandbox/shop'
