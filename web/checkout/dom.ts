// Finding elements with the type they have.

type Kind<T extends Element> = new () => T

/** The first match of `selector` that is a `kind`. */
export function find<T extends Element>(
  selector: string,
  kind: Kind<T>,
  root: ParentNode = document,
): T | undefined {
  return findAll(selector, kind, root)[0]
}

export function findAll<T extends Element>(
  selector: string,
  kind: Kind<T>,
  root: ParentNode = document,
): T[] {
  return [...root.querySelectorAll(selector)].filter((element): element is T => element instanceof kind)
}
