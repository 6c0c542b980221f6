// Descriptions, examples and common fields of schemas.
import { type TSchema, Type } from 'typebox'

type Keywords = Readonly<Record<string, unknown>>

/** Schema keyword: words that the reference adds to the validated schema. */
export function documented(keywords: Keywords): { readonly 'x-documented': Keywords } {
  return { 'x-documented': keywords }
}

export function described<Schema extends object>(
  schema: Schema,
  description: string,
  keywords?: Keywords,
): Schema {
  const more = keywords === undefined ? {} : documented({ ...documentedOf(schema), ...keywords })
  return { ...schema, description, ...more }
}

function documentedOf(schema: object): Keywords {
  return (schema as { 'x-documented'?: Keywords })['x-documented'] ?? {}
}

export function used<Schema extends object>(schema: Schema, description: string): Schema {
  return { ...schema, 'x-here': description }
}

export function answers<Schema extends TSchema>(schema: Schema, example: unknown): { readonly 200: Schema } {
  return { 200: { ...schema, examples: [example] } }
}

export function listOf<Element extends TSchema>(element: Element, title: string, description: string) {
  return Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'Number of matching records on all pages.' }),
      elements: Type.Array(element, { description: 'Records of this page, newest first.' }),
    },
    { title, description },
  )
}

export const exampleId = '0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10'
export const exampleDay = '2026-03-01'
export const exampleMoment = '2026-03-01T18:30:00+0000'

export function idField(description: string) {
  return Type.String({ format: 'uuid', description, examples: [exampleId] })
}

const momentPattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$`

export function momentField(description: string) {
  return Type.String({ pattern: momentPattern, description, examples: [exampleMoment] })
}

export function dayField(description: string) {
  return Type.String({ format: 'date', description, examples: [exampleDay] })
}

export function amountField(description: string) {
  return Type.Number({ description, examples: [10.5] })
}

export function wordField<Word extends string = string>(words: readonly Word[], description: string) {
  return Type.Unsafe<string>({ type: 'string', enum: [...words], description })
}

export const currencyField = Type.Unsafe<string>({
  type: 'string',
  enum: ['EUR'],
  description: 'Currency of every amount (ISO 4217). Always `EUR`.',
})

export function idParameter(noun: string) {
  return Type.Object({ id: pathId(noun) })
}

export function pathId(noun: string) {
  const description = `Id of the ${noun}: a UUID.`
  return Type.String({ description, ...documented({ format: 'uuid', examples: [exampleId] }) })
}
