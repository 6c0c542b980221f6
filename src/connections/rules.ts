// The activity log's words for a changed connection.

interface Shown {
  readonly id: bigint
  readonly driver: string
  readonly rails: readonly string[]
  readonly enabled: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** The changes for the activity log. Secrets appear only with their names. */
export function changesOf(
  before: Shown | undefined,
  after: Shown,
  secrets: readonly string[],
): { readonly field: string; readonly old: string; readonly new: string }[] {
  const field = `connection ${after.id} ${after.driver}`
  const replaced = secrets.map((name) => {
    const old = before?.secrets.includes(name) === true ? 'set' : ''
    return { field: `${field} ${name}`, old, new: after.secrets.includes(name) ? 'replaced' : '' }
  })
  const [old, now] = [before === undefined ? '' : connectionText(before), connectionText(after)]
  return [...(old === now ? [] : [{ field, old, new: now }]), ...replaced]
}

function connectionText({ rails, settings, enabled }: Shown): string {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return [enabled ? rails.join(', ') : 'removed', ...pairs].join('; ')
}
