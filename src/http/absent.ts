// Optional fields sent as null: clients that write every field of their model mean nothing by it.

/** A JSON schema as far as it is looked into here. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

/**
 * Takes out of `value` each optional field of `schema` that is null, at any depth, and answers whether there
 * was one. Required fields and fields that the schema does not know stay as they are.
 */
export function dropOptionalNulls(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    const { items } = schema
    return items !== undefined && value.filter((item) => dropOptionalNulls(items, item)).length > 0
  }
  const fields = value as Record<string, unknown>
  let dropped = false
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(fields, name)) continue
    if (fields[name] !== null) dropped = dropOptionalNulls(inner, fields[name]) || dropped
    else if (schema.required?.includes(name) !== true) dropped = delete fields[name]
  }
  return dropped
}
