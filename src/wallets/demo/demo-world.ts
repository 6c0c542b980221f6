// The demo world of the sandbox: its merchants and consumers.
import { join } from 'node:path'
import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import {
  type Permission,
  permissions,
  permissionsDefault,
  type Right,
  rights,
} from '../../kernel/values/permissions.ts'
import { type Method, methods, methodsDefault, recurringMethods } from '../../methods/list.ts'
import type { Executor } from '../../storage/index.ts'
import { createConsumer, isPinOf, randomPin, replacePin } from '../consumers.ts'
import type { WalletsDeps } from '../deps.ts'
import { createMerchant } from '../merchants.ts'
import { demoText, writeDemoFile } from './demo-file.ts'
import {
  type DemoConsumer,
  type DemoDocument,
  type DemoMerchant,
  type DemoUser,
  demoFileName,
} from './demo-model.ts'
import {
  existing,
  keepSecrets,
  unsealed,
  workingCallbackSecrets,
  workingEsbToken,
  workingKey,
} from './demo-secrets.ts'
import { findDemoWallet, listUnfunded, lockDemoWorld, markFunded, planFunding } from './demo-store.ts'

const pinLength = 4
const openingBalance = cents(100_00)
const openingBalanceText = '100.00'

interface MerchantPlan {
  readonly name: string
  readonly email: string
  readonly rights: readonly Right[]
  readonly methods: readonly Method[]
  readonly subscriptionMethods?: readonly Method[]
  readonly permissions: readonly Permission[]
  readonly roles: readonly string[]
}

const merchantPlans: readonly MerchantPlan[] = [
  {
    name: 'Demo Shop',
    email: 'shop@demo.example',
    rights,
    methods,
    subscriptionMethods: recurringMethods,
    permissions,
    roles: rights,
  },
  plain('Sub Shop A', 'sub-a@demo.example', 'sub_merchant'),
  plain('Sub Shop B', 'sub-b@demo.example', 'sub_merchant'),
  plain('Plain Shop', 'plain@demo.example', 'plain'),
]

const consumerPlans = [
  { email: 'ana@demo.example', phone: '+351911000001' },
  { email: 'rui@demo.example', phone: '+351911000002' },
] as const

function plain(name: string, email: string, role: string): MerchantPlan {
  return { name, email, rights: [], methods: methodsDefault, permissions: permissionsDefault, roles: [role] }
}

export interface DemoWorldOptions {
  readonly dataDir: string
  readonly baseUrl: string
  readonly authScheme: string
  makeUsers(merchants: readonly { readonly name: string; readonly walletId: number }[]): Promise<DemoUser[]>
  /** Credits the consumer. It can be called twice with the same `fundingId` and must then change nothing. */
  fundConsumer(walletId: bigint, amount: Cents, fundingId: string): Promise<void>
}

export interface DemoWorld {
  readonly document: DemoDocument
  readonly text: string
  readonly changed: readonly bigint[]
}

/**
 * Creates the demo world if it is missing, and writes demo.json with the current address. The secrets are also sealed
 * in the database, so that another process or the next start finds the same demo world.
 */
export async function createDemoWorld(deps: WalletsDeps, options: DemoWorldOptions): Promise<DemoWorld> {
  const { merchants, consumers, changed } = await deps.database.transaction(async (tx) => {
    await lockDemoWorld(tx)
    const changed: bigint[] = []
    const merchants: DemoMerchant[] = []
    for (const plan of merchantPlans) merchants.push(await ensureMerchant(deps, tx, plan, changed))
    const consumers: DemoConsumer[] = []
    for (const plan of consumerPlans) consumers.push(await ensureConsumer(deps, tx, plan, changed))
    return { merchants, consumers, changed }
  })
  await fundConsumers(deps, options)
  const users = await options.makeUsers(
    merchants.map(({ name, wallet_id }) => ({ name, walletId: wallet_id })),
  )
  const document = { base_url: options.baseUrl, auth_scheme: options.authScheme, merchants, consumers, users }
  const path = join(options.dataDir, demoFileName)
  await writeDemoFile(path, document)
  return { document, text: demoText(document, path), changed }
}

interface MerchantSecrets {
  readonly api_key: string
  readonly esb_token: string
}

async function ensureMerchant(
  deps: WalletsDeps,
  tx: Executor,
  plan: MerchantPlan,
  changed: bigint[],
): Promise<DemoMerchant> {
  const row = await findDemoWallet(tx, plan.name)
  const walletId = row?.walletId ?? (await makeMerchant(deps, tx, plan))
  const kept = row && unsealed<MerchantSecrets>(deps, row.secretsSealed, plan.name)
  const secrets = {
    api_key: await workingKey(deps, tx, walletId, plan.permissions, kept?.api_key),
    esb_token: await workingEsbToken(deps, tx, walletId, kept?.esb_token),
  }
  const callbackSecrets = await workingCallbackSecrets(deps, tx, walletId)
  if (JSON.stringify(secrets) !== JSON.stringify(kept) || callbackSecrets.replaced) {
    await keepSecrets(deps, tx, plan.name, walletId, secrets)
    changed.push(walletId)
  }
  const { wallet } = await existing(tx, walletId)
  return {
    name: wallet.name,
    wallet_id: Number(walletId),
    public_id: wallet.publicId,
    ...secrets,
    callback_user: wallet.callbackUser ?? '',
    callback_secret: callbackSecrets.secret,
    callback_signing_secret: callbackSecrets.signingSecret,
    stores: wallet.stores,
    roles: plan.roles,
  }
}

async function makeMerchant(deps: WalletsDeps, tx: Executor, plan: MerchantPlan): Promise<bigint> {
  const { name, email, rights, methods, subscriptionMethods } = plan
  const settings = { name, email, rights, methods, ...(subscriptionMethods && { subscriptionMethods }) }
  const created = unwrap(await createMerchant(deps, tx, settings))
  return created.wallet.id
}

async function ensureConsumer(
  deps: WalletsDeps,
  tx: Executor,
  plan: { readonly email: string; readonly phone: string },
  changed: bigint[],
): Promise<DemoConsumer> {
  const row = await findDemoWallet(tx, plan.email)
  const kept = row && unsealed<{ pin: string }>(deps, row.secretsSealed, plan.email)
  if (row !== undefined && kept !== undefined && (await isPinOf(deps, tx, row.walletId, kept.pin))) {
    return { ...plan, pin: kept.pin, balance: openingBalanceText }
  }
  const pin = randomPin(deps.random, pinLength)
  const walletId = row?.walletId ?? unwrap(await createConsumer(deps, tx, { ...plan, pin }))
  if (row !== undefined) await replacePin(deps, tx, walletId, pin)
  await keepSecrets(deps, tx, plan.email, walletId, { pin })
  await planFunding(tx, walletId, newId(deps.clock.now(), deps.random))
  changed.push(walletId)
  return { ...plan, pin, balance: openingBalanceText }
}

/** Runs outside the transaction, like every movement of money; the next start completes it after a crash. */
async function fundConsumers(deps: WalletsDeps, options: DemoWorldOptions): Promise<void> {
  for (const { walletId, fundingId } of await listUnfunded(deps.database)) {
    await options.fundConsumer(walletId, openingBalance, fundingId)
    await markFunded(deps.database, walletId, deps.clock.now())
  }
}
