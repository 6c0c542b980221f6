// Facts about the browser that EMV 3-D Secure sends to the issuer.

/** Adds hidden fields to `form`. Without JavaScript they are absent. */
export function addBrowserFacts(form: HTMLFormElement): void {
  const facts = {
    js_enabled: true,
    screen_width: screen.width,
    screen_height: screen.height,
    color_depth: screen.colorDepth,
    tz_offset: new Date().getTimezoneOffset(),
    language: navigator.language,
  }
  for (const [name, value] of Object.entries(facts)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = String(value)
    form.append(input)
  }
}
