// The shapes of what this room answers over HTTP.
import { Type } from 'typebox'
import { methods } from './model.ts'

export const methodsAnswer = Type.Object({
  methods: Type.Array(Type.Union(methods.map((method) => Type.Literal(method))), {
    description: 'Methods active for the wallet, in the order in which they are offered.',
  }),
})
