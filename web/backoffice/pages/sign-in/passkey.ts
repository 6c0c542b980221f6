// Passkeys by the browser's own functions.
import { act, read } from '../../api.ts'

/** Browsers bind passkeys to a host name, over https or on this machine; an address of digits is none. */
export function passkeysWork(): boolean {
  const isName = !/^[\d.]+$|:/.test(window.location.hostname)
  return (
    window.isSecureContext && isName && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {})
  )
}

/** @throws when the person or the device does not go on, or the gateway refuses */
export async function signInWithPasskey(): Promise<void> {
  const options = await read<PublicKeyCredentialRequestOptionsJSON>(
    '/auth/passkey/generate-authenticate-options',
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (credential === null) throw new Error('no passkey was chosen')
  await act('/auth/passkey/verify-authentication', { body: { response: credential.toJSON() } })
}
