// Commands of systemd units.

export type Environment = Readonly<Record<string, string>>

/**
 * The words of `ExecStart` in a unit, with `${NAME}` replaced as systemd does. Throws if `environment` lacks a name.
 */
export function commandOf(unit: string, environment: Environment): string[] {
  const [, command] = /^ExecStart=(.+)$/m.exec(unit.replaceAll(/\\\n\s*/g, ' ')) ?? []
  if (command === undefined) throw new Error('the unit has no ExecStart')
  return command.split(/\s+/).map((word) => filled(word, environment))
}

function filled(text: string, environment: Environment): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = environment[name]
    if (value === undefined) throw new Error(`a unit uses ${name}, which no environment file sets`)
    return value
  })
}

/** The names in the lines `NAME=value` of an environment file. */
export function namesIn(file: string): string[] {
  return [...file.matchAll(/^([A-Z]\w*)=/gm)].map(([, name = '']) => name)
}
