// The demo world in demo.json and as text.
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DemoDocument, demoDocumentIn, demoFileName } from './demo-model.ts'

/** The keys of the first demo merchant, read from demo.json; undefined if the file is missing or wrong. */
export async function readDemoKeys(dataDir: string) {
  const text = await readFile(join(dataDir, demoFileName), 'utf8').catch(() => undefined)
  const document = text === undefined ? undefined : demoDocumentIn(text)
  const merchant = document?.ok === true ? document.value.merchants[0] : undefined
  if (document?.ok !== true || merchant === undefined) return undefined
  const { auth_scheme: scheme } = document.value
  const { api_key: apiKey, esb_token: esbToken } = merchant
  return { authorization: `${scheme} ${apiKey}`, apiKey, esbToken }
}

let drafts = 0

/** Replaces `path` in one step, readable by its owner only. */
export async function writeDemoFile(path: string, document: DemoDocument): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}-${++drafts}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(document, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path).catch(async (error) => {
    await unlink(draft)
    throw error
  })
}

export function demoText(document: DemoDocument, path: string): string {
  const [shop] = document.merchants
  const merchants = document.merchants.map(
    ({ name, wallet_id, roles, api_key }) =>
      `  ${name.padEnd(12)} wallet ${wallet_id}  ${api_key}  ${roles.join(', ')}`,
  )
  const consumers = document.consumers.map(
    ({ email, pin, phone, balance }) => `  ${email}  PIN ${pin}  ${phone}  ${balance} EUR`,
  )
  return [
    `Comporta runs in sandbox mode at ${document.base_url}. Keys and secrets of the demo merchants are in ${path}`,
    '',
    'Merchants and their API keys:',
    ...merchants,
    '',
    'Consumers with a balance:',
    ...consumers,
    '',
    `Users of the backoffice at ${document.base_url}/backoffice, with the password ${document.users[0]?.password ?? ''}:`,
    ...document.users.map(
      ({ email, role, wallet_id }) =>
        `  ${email.padEnd(22)} ${role}${wallet_id === undefined ? '' : ` of wallet ${wallet_id}`}`,
    ),
    '',
    'Create a first checkout, and open its url_redirect in a browser. Pay with the test card 4176 6600 0000 0092, any',
    'future expiry and security code 123. When the test bank asks for a code: 0101.',
    '',
    `curl -s ${document.base_url}/api/v2/checkout \\`,
    `  -H 'Authorization: ${document.auth_scheme} ${shop?.api_key ?? ''}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(firstCheckout(document.base_url))}'`,
  ].join('\n')
}

function firstCheckout(baseUrl: string) {
  const thanks = `${baseUrl}/sandbox/thanks`
  return {
    payment: { amount: 10, currency: 'EUR', client: { name: 'Ana Silva', email: 'ana@example.com' } },
    url_confirm: thanks,
    url_cancel: thanks,
  }
}
