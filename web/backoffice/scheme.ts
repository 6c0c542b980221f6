// Sets the colour scheme before the browser first draws the page.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark =
  chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
