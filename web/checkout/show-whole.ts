// On small screens the panel of a method that was chosen is brought into view, with its button.

/** Scrolls no further than needed, once the panel has opened. */
export function showWhole(choice: HTMLInputElement): void {
  choice.addEventListener('change', () => {
    requestAnimationFrame(() => choice.closest('.method')?.scrollIntoView({ block: 'nearest' }))
  })
}
