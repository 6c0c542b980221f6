// The columns of a declared table: SQL type, nullability, and how the value looks in the program.
import type { Day } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ColumnType } from './values.ts'

/** The SQL types that columns may have. */
export type SqlType = ColumnType | 'smallint' | 'date'

/**
 * `required`: always there. `defaulted`: always there for who reads it, and has a value where a new row names none.
 * `optional`: null in the database is undefined in the program. `nullable`: null in both.
 */
export type Presence = 'required' | 'defaulted' | 'optional' | 'nullable'

/** What a column is at run time. */
export interface ColumnSpec {
  readonly type: SqlType | `${SqlType}[]`
  readonly presence: Presence
  /** Whether the database allows null. */
  readonly isNullable: boolean
  /** In the database; that of the field in snake_case when empty. */
  readonly name: string
  /** Of a new row that names none, and where null is read. */
  readonly defaultValue?: unknown
  /** From what the driver brings; as it comes when left out. */
  readonly read?: ((stored: never) => unknown) | undefined
  /** To what the driver takes; as it is when left out. */
  readonly write?: ((value: never) => unknown) | undefined
}

/** A column whose value is a `Value`; `Name` is empty where the field's name says it. */
export interface Column<Value = unknown, P extends Presence = Presence, Name extends string = string> {
  readonly spec: ColumnSpec
  /** Never set: carries the types. */
  readonly types?: { readonly value: Value; readonly presence: P; readonly name: Name }
  /** Called otherwise in the database than its field in snake_case. */
  named<N extends string>(name: N): Column<Value, P, N>
  /** May be null in the database, which is undefined in the program. */
  optional(): Column<Value, 'optional', Name>
  /** May be null in the database and in the program. */
  nullable(): Column<Value | null, 'nullable', Name>
  /** New rows that name no value have this one, and null is read as it. */
  default(value: NoInfer<Value>): Column<Value, 'defaulted', Name>
  /** An array of it. */
  array(): Column<readonly Value[], P, Name>
  /** Another value in the program than in the database. */
  transformed<Read>(
    read: (stored: Value) => Read,
    write: (value: Read) => NoInfer<Value>,
  ): Column<Read, P, Name>
}

/** Columns that are one object in the program; its columns are called `<field>_<member>` unless named. */
export interface Embedded<
  Members extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>,
  P extends 'required' | 'optional' = 'required' | 'optional',
> {
  readonly members: Members
  readonly presence: P
  /** Undefined where any of its required members is null: in the database all of them may be. */
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

/** The kinds of columns. */
export const column = {
  uuid: () => columnOf<string>({ type: 'uuid' }),
  bigint: () => columnOf<bigint>({ type: 'bigint' }),
  /** An amount in cents, as a bigint. */
  cents: () => columnOf<Cents>({ type: 'bigint' }),
  integer: <Value extends number = number>() => columnOf<Value>({ type: 'integer' }),
  smallint: () => columnOf<number>({ type: 'smallint' }),
  text: <Value extends string = string>() => columnOf<Value>({ type: 'text' }),
  boolean: () => columnOf<boolean>({ type: 'boolean' }),
  /** A `jsonb`. */
  json: <Value>() => columnOf<Value>({ type: 'jsonb', write: JSON.stringify }),
  /** A `timestamptz`. */
  instant: () => columnOf<Instant>({ type: 'timestamptz', write: toTimestamp }),
  /** A calendar day. */
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
