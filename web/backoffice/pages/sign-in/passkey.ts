// Sign-in with a passkey.
import { act, read } from '../../api.ts'

/** Passkeys work only under a host name with https, or on localhost. They do not work under an IP address. */
export function passkeysWork(): boolean {
  const isName = !/^[\d.]+$|:/.test(window.location.hostname)
  return (
    window.isSecureContext && isName && 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {})
  )
}

/** @throws if the user cancels or the gateway refuses */
export async function signInWithPasskey(): Promise<void> {
  const options = await read<PublicKeyCredentialRequestOptionsJSON>(
    '/auth/passkey/generate-authenticate-options',
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (credential === null) throw new Error('no passkey was chosen')
  await act('/auth/passkey/verify-authentication', { body: { response: credential.toJSON() } })
}
