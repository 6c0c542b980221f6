// JWE compatibility with another implementation.
import { compactDecrypt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { expect, it } from 'vitest'
import { encryptFor, type RecipientKey } from './jwe.ts'

const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
const recipient = { ...(await exportJWK(pair.publicKey)), kid: 'a-key' } as RecipientKey

it.each(['4176660000000027', '', 'João Conceição 🐚', 'x'.repeat(2000)])(
  '%j is read by jose',
  async (text) => {
    const jwe = await encryptFor(recipient, text)
    const { plaintext, protectedHeader } = await compactDecrypt(jwe, pair.privateKey, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    expect(new TextDecoder().decode(plaintext)).toBe(text)
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'enc', 'epk', 'kid'])
  },
)

it('has an ephemeral key and a nonce of its own each time', async () => {
  const [one, two] = await Promise.all([encryptFor(recipient, 'same'), encryptFor(recipient, 'same')])
  expect(decodeProtectedHeader(one).epk).not.toEqual(decodeProtectedHeader(two).epk)
  const parts = two.split('.')
  for (const [index, part] of one.split('.').entries()) {
    if (index !== 1) expect(part).not.toBe(parts[index])
  }
})

it('is for the recipient alone', async () => {
  const other = await generateKeyPair('ECDH-ES', { crv: 'P-256' })
  await expect(compactDecrypt(await encryptFor(recipient, 'secret'), other.privateKey)).rejects.toThrow()
})
