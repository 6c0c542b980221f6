// Path of the demo shop.

export const shopPath = '/sandbox/shop'
