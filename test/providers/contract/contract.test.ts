// The contract tests of every driver to a provider.
import { easypayContract } from '../easypay/contract.ts'
import { paypalContract } from '../paypal/contract.ts'
import { sibsContract } from '../sibs/contract.ts'
import { stripeContract } from '../stripe/contract.ts'
import { describeContract } from './table.ts'

for (const contract of [stripeContract, sibsContract, paypalContract, easypayContract])
  describeContract(contract)
