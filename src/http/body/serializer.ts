// Serializers of answers: fields outside the schema are dropped.
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'

/** Compiles at a route's first answer. */
export const compileSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= fastJsonStringify(schema as AnySchema)
    return write(answer)
  }
}
