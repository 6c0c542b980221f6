// Store functions: the parameters made from the arguments, then one SQL statement.
import { type Executor, statement } from './database.ts'

type ParametersOf<Asked extends unknown[]> = (...asked: Asked) => readonly unknown[]

function storeFunction<Asked extends unknown[], Row, Answer>(
  parametersOf: ParametersOf<Asked>,
  answerOf: (rows: Row[]) => Answer,
) {
  return (sql: TemplateStringsArray, ...parts: readonly (string | number)[]) => {
    const prepared = statement<Row>(String.raw({ raw: sql }, ...parts))
    return async (db: Executor, ...asked: Asked): Promise<Answer> =>
      answerOf(await db.run(prepared, parametersOf(...asked)))
  }
}

export function execute<Asked extends unknown[]>(parametersOf: ParametersOf<Asked>) {
  return storeFunction(parametersOf, (): void => undefined)
}

/** Answers whether the statement returns a row, such as `returning id` of a changed one. */
export function hasRows<Asked extends unknown[]>(parametersOf: ParametersOf<Asked>) {
  return storeFunction(parametersOf, (rows) => rows.length > 0)
}

export function findFirst<Row, Asked extends unknown[]>(
  { first }: { first(rows: readonly never[]): Row | undefined },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row | undefined>(parametersOf, first)
}

/** As {@link findFirst}, for a statement that always returns a row. */
export function writtenRow<Row, Asked extends unknown[]>(
  { first }: { first(rows: readonly never[]): Row | undefined },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row>(parametersOf, (rows) => first(rows) as Row)
}

export function findAll<Row, Asked extends unknown[]>(
  { read }: { read(row: never): Row },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row[]>(parametersOf, (rows) => rows.map((row) => read(row)))
}
