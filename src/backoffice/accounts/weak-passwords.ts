// Long passwords that are still easy to guess.

/** The beginnings of most leaked passwords of at least 12 characters, without digits and signs. */
const commonWords = new Set(
  [
    'password passw passwort palavrapasse senha qwerty qwertyuiop qwertyuiopasdfgh asdfghjkl',
    'asdfghjklzxcvbnm zxcvbnm qazwsxedc qazwsxedcrfv qwertyuiopasdfghjklzxcvbnm administrator',
    'administrador administrat admin adminadmin root changeme letmein welcome bemvindo iloveyou comporta',
    'benfica sporting portugal lisboa football abc abcdef abcdefgh abcdefghijkl abcdefghijklm princess',
    'sunshine superman test',
  ]
    .flatMap((line) => line.split(' '))
    .flatMap((word) => [word, word + word]),
)
const differentMin = 5
/** A password that contains the e-mail address needs at least this many other characters. */
const addedMin = 8

/** Why a password is weak, or undefined. The account's e-mail address is not secret. */
export function weaknessOf(password: string, email = ''): string | undefined {
  const plain = password.toLowerCase()
  const added = plain.replace(email.toLowerCase(), '')
  if (added !== plain && added.length < addedMin) return 'password must not be the e-mail address'
  if (new Set(plain).size < differentMin) return `password must have ${differentMin} different characters`
  if (/^(.{1,6}?)\1+.{0,5}$/u.test(plain)) return 'password must not repeat the same few characters'
  if (isRun(plain)) return 'password must not be a run such as 1234567890'
  const word = plain
    .replace(/^[^a-z]+|[^a-z]+$/g, '')
    .replace(/[4@]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[5$]/g, 's')
    .replace(/3/g, 'e')
    .replace(/[^a-z]/g, '')
  const letters = plain.replace(/[^a-z]/g, '')
  const isCommon = [word, letters].some((one) => commonWords.has(one))
  return isCommon ? 'password must not be a common one' : undefined
}

/** Whether each character follows the one before, up or down, also from 9 to 0. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((letter, index) => letter.charCodeAt(0) - text.charCodeAt(index))
  return [1, -1].some((step) => steps.every((one) => one === step || one === -9 * step))
}
