// Scrolling to the chosen method.

export function showWhole(choice: HTMLInputElement): void {
  choice.addEventListener('change', () => {
    requestAnimationFrame(() => choice.closest('.method')?.scrollIntoView({ block: 'nearest' }))
  })
}
