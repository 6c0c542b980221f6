// Passwords that are long enough and still the first to be tried: common ones, and a few characters again and again. Pure.

/** The beginnings of most leaked passwords of 12 characters and more, without digits and signs at their ends. */
const commonWords = new Set(
  [
    ...['password', 'passw', 'passwort', 'palavrapasse', 'senha', 'qwerty', 'qwertyuiop', 'qwertyuiopasdfgh'],
    ...[
      'asdfghjkl',
      'asdfghjklzxcvbnm',
      'zxcvbnm',
      'qazwsxedc',
      'qazwsxedcrfv',
      'qwertyuiopasdfghjklzxcvbnm',
    ],
    ...[
      'administrator',
      'administrador',
      'administrat',
      'admin',
      'adminadmin',
      'root',
      'changeme',
      'letmein',
    ],
    ...[
      'welcome',
      'bemvindo',
      'iloveyou',
      'comporta',
      'benfica',
      'sporting',
      'portugal',
      'lisboa',
      'football',
    ],
    ...[
      'abc',
      'abcdef',
      'abcdefgh',
      'abcdefghijkl',
      'abcdefghijklm',
      'princess',
      'sunshine',
      'superman',
      'test',
    ],
  ].flatMap((word) => [word, word + word]),
)
const differentMin = 5
/** Characters that a password needs in addition to the address of its account. */
const addedMin = 8

/**
 * Why a password is too weak; undefined where it is not.
 *
 * @param email of the account: its address is no secret
 */
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

/** Each character follows the one before it, up or down, also from 9 to 0. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((letter, index) => letter.charCodeAt(0) - text.charCodeAt(index))
  return [1, -1].some((step) => steps.every((one) => one === step || one === -9 * step))
}
