// Live updates and clocks of the phone's page.
const refreshMs = 2000

function runClocks() {
  for (const clock of document.querySelectorAll('[data-seconds]')) {
    const end = performance.now() + Number(clock.dataset.seconds) * 1000
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
      clock.textContent = clock.dataset.text.replace('{clock}', text)
      if (clock.isConnected && left > 0) setTimeout(tick, 1000)
    }
    tick()
  }
}

/** While someone types in a field, an update must not replace it. */
function isBusy(live) {
  const { activeElement } = document
  return live.contains(activeElement) && activeElement.matches('input') && activeElement.value !== ''
}

async function refresh() {
  const live = document.querySelector('[data-live]')
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    const fresh = new DOMParser()
      .parseFromString(await answer.text(), 'text/html')
      .querySelector('[data-live]')
    if (answer.ok && fresh !== null && fresh.dataset.version !== live.dataset.version && !isBusy(live)) {
      live.replaceWith(fresh)
      runClocks()
    }
  } catch {
    // The network failed: the next poll tries again.
  }
  setTimeout(refresh, refreshMs)
}

runClocks()
setTimeout(refresh, refreshMs)
