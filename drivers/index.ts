// Drivers to real providers, loaded in production only.
import type { Driver } from '../src/connections/index.ts'
import { bankFiles } from './bank-files/index.ts'
import { easypay } from './easypay/index.ts'
import { multibancoFiles } from './multibanco-files/index.ts'
import { paypal } from './paypal/index.ts'
import { sibs } from './sibs/index.ts'
import { stripe } from './stripe/index.ts'

export const drivers: readonly Driver[] = [bankFiles, easypay, multibancoFiles, paypal, sibs, stripe]
