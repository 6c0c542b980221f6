// Columns of a declared table: SQL type, nullability, conversion.
import type { Day } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'

export type ColumnType =
  | 'uuid'
  | 'bigint'
  | 'integer'
  | 'text'
  | 'boolean'
  | 'jsonb'
  | 'timestamptz'
  | 'bytea'

export type SqlType = ColumnType | 'smallint' | 'date'

/** `defaulted`: new rows may omit it. `optional`: null reads as undefined. `nullable`: null reads as null. */
export type Presence = 'required' | 'defaulted' | 'optional' | 'nullable'

export interface ColumnSpec {
  readonly type: SqlType | `${SqlType}[]`
  readonly presence: Presence
  readonly isNullable: boolean
  readonly name: string
  readonly defaultValue?: unknown
  readonly read?: ((stored: never) => unknown) | undefined
  readonly write?: ((value: never) => unknown) | undefined
}

export interface Column<Value = unknown, P extends Presence = Presence, Name extends string = string> {
  readonly spec: ColumnSpec
  readonly types?: { readonly value: Value; readonly presence: P; readonly name: Name }
  named<N extends string>(name: N): Column<Value, P, N>
  optional(): Column<Value, 'optional', Name>
  nullable(): Column<Value | null, 'nullable', Name>
  default(value: NoInfer<Value>): Column<Value, 'defaulted', Name>
  array(): Column<readonly Value[], P, Name>
  transformed<Read>(
    read: (stored: Value) => Read,
    write: (value: Read) => NoInfer<Value>,
  ): Column<Read, P, Name>
}

export interface Embedded<
  Members extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>,
  P extends 'required' | 'optional' = 'required' | 'optional',
> {
  readonly members: Members
  readonly presence: P
  /** Reads as undefined if a required member is null: in the database all members are nullable. */
  optional(): Embedded<Members, 'optional'>
}

function columnOf<Value>(spec: Pick<ColumnSpec, 'type' | 'read' | 'write'>): Column<Value, 'required', ''> {
  return make({ presence: 'required', isNullable: false, name: '', ...spec }) as Column<Value, 'required', ''>
}

function make(spec: ColumnSpec): Column {
  const changed = (change: Partial<ColumnSpec>) => make({ ...spec, ...change })
  return {
    spec,
    named: (name) => changed({ name }) as never,
    optional: () => changed({ presence: 'optional', isNullable: true }) as never,
    nullable: () => changed({ presence: 'nullable', isNullable: true }) as never,
    default: (defaultValue) => changed({ presence: 'defaulted', defaultValue }) as never,
    array: () => changed({ type: `${spec.type as SqlType}[]` }) as never,
    transformed: (read, write) => {
      const { read: readFirst = asItIs, write: writeLast = asItIs } = spec
      return changed({
        read: (value: never) => read(readFirst(value)),
        write: (value: never) => writeLast(write(value) as never),
      }) as never
    },
  }
}

function asItIs(value: never) {
  return value
}

export const column = {
  uuid: () => columnOf<string>({ type: 'uuid' }),
  bigint: () => columnOf<bigint>({ type: 'bigint' }),
  cents: () => columnOf<Cents>({ type: 'bigint' }),
  integer: <Value extends number = number>() => columnOf<Value>({ type: 'integer' }),
  smallint: () => columnOf<number>({ type: 'smallint' }),
  text: <Value extends string = string>() => columnOf<Value>({ type: 'text' }),
  boolean: () => columnOf<boolean>({ type: 'boolean' }),
  json: <Value>() => columnOf<Value>({ type: 'jsonb', write: JSON.stringify }),
  instant: () => columnOf<Instant>({ type: 'timestamptz', write: toTimestamp }),
  day: () => columnOf<Day>({ type: 'date' }),
  bytes: () => columnOf<Uint8Array>({ type: 'bytea' }),
  embedded: <Members extends Readonly<Record<string, Column>>>(
    members: Members,
  ): Embedded<Members, 'required'> => embed(members, 'required'),
}

function embed<Members extends Readonly<Record<string, Column>>, P extends 'required' | 'optional'>(
  members: Members,
  presence: P,
): Embedded<Members, P> {
  return { members, presence, optional: () => embed(members, 'optional') }
}
