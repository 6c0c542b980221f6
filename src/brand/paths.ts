// Addresses that merchants write into their pages.

export const buttonPath = '/api/v2/anon/images/button'
/** As one example of SPEC.md has it. */
export const buttonPathWithoutVersion = '/api/anon/images/button'
export const badgePath = '/badge/v1/badge.js'
