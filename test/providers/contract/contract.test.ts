// The contract tests of every driver to a provider.
import { easypayContract } from '../easypay/contract.ts'
import { eupagoContract } from '../eupago/contract.ts'
import { ifthenpayContract } from '../ifthenpay/contract.ts'
import { paypalContract } from '../paypal/contract.ts'
import { sibsContract } from '../sibs/contract.ts'
import { stripeContract } from '../stripe/contract.ts'
import { describeContract } from './table.ts'

const contracts = [
  stripeContract,
  sibsContract,
  paypalContract,
  easypayContract,
  ifthenpayContract,
  eupagoContract,
]
for (const contract of contracts) describeContract(contract)
