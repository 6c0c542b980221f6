// The compilers of routes' schemas, for what is sent and what is answered. Each does its work when a route is first used.
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import type {
  FastifyRouteSchemaDef,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from 'fastify/types/schema.js'
import type { TSchema } from 'typebox'
import { validatorOf } from './validation.ts'

/** For `setValidatorCompiler`. Made at the start, both kinds would be a quarter of it (docs/decisions/0155). */
export const compileValidator: FastifySchemaCompiler<TSchema> = whenFirstUsed(validatorOf)
/** For `setSerializerCompiler`. */
export const compileSerializer: FastifySerializerCompiler<unknown> = whenFirstUsed(serializerOf)

/** A compiler that compiles at the first call of what it returns. */
function whenFirstUsed<Route, Value, Result>(
  compile: (route: Route) => (value: Value) => Result,
): (route: Route) => (value: Value) => Result {
  return (route) => {
    let compiled: ((value: Value) => Result) | undefined
    return (value) => {
      compiled ??= compile(route)
      return compiled(value)
    }
  }
}

function serializerOf({ schema }: FastifyRouteSchemaDef<unknown>): (answer: unknown) => string {
  return fastJsonStringify(schema as AnySchema)
}
