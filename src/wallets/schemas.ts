// The shapes of what this module answers over HTTP.

import { Type } from 'typebox'
import { type Method, methods } from '../methods/list.ts'

export const methodsAnswer = Type.Object(
  {
    methods: Type.Array(Type.Unsafe<Method>({ type: 'string', enum: methods }), {
      description: 'Methods active for the wallet, in the order in which they are offered.',
    }),
  },
  { title: 'Methods', description: 'The payment methods of the wallet.' },
)
