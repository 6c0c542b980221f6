// What can be an e-mail address: only its shape is checked, because only its host knows whether it exists.

/** Long enough for any address; longer is no person's. */
const emailLengthMax = 100
const emailPattern = /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']+$/

/** Whether `text` has the shape of an e-mail address, without spaces around it. */
export function isEmailAddress(text: string): boolean {
  return text.length <= emailLengthMax && emailPattern.test(text)
}
