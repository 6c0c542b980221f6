// Typed element queries.

type Kind<T extends Element> = new () => T

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
