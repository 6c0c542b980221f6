// Addresses of secure form fields (CONTRACT section 8).

export const libraryPath = '/secure-fields/v1/secure-fields.js'
export const hashedLibraryPath = (file: string) => `/secure-fields/v1/${file}`
export const integrityPath = '/secure-fields/v1/integrity.json'
export const framePath = '/secure-fields/v1/frame'
export const sessionPath = '/secure-fields/v1/session'
export const keysPath = '/.well-known/secure-fields/jwks.json'
export const assetsPath = '/assets'
