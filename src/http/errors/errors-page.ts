// The page that the `link` of every error leads to: the error table, for people.
import { html } from 'ghtml'
import { errorTable } from './errors.ts'

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid #ccc }
tr:target { background: #fff3c4 }
a { color: #0b57a4 }
code { font-family: ui-monospace, monospace }
@media (prefers-color-scheme: dark) {
  body { background: #16181b; color: #e8e8e8 }
  th, td { border-color: #444 }
  tr:target { background: #4a3f14 }
  a { color: #8ec5ff }
}`

/** One row per code, each an anchor such as `#10002`. */
export function errorsPage(): string {
  const rows = Object.values(errorTable).map(
    ({ code, status, message, when }) => html`<tr id="${String(code)}">
        <td><a href="#${String(code)}">${String(code)}</a></td>
        <td>${String(status)}</td>
        <td>${message}</td>
        <td>${when}</td>
      </tr>`,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Errors of the Comporta API</title>
        <style>
          !${style}
        </style>
      </head>
      <body>
        <main>
          <h1>Errors</h1>
          <p>
            Every answer with status 4xx or 5xx is
            <code>{code, message, reason, link, tid}</code>: <code>message</code> is fixed per code,
            <code>reason</code> names the field or rule and what would be accepted, <code>tid</code> is the
            answer's <code>X-Request-Id</code>. Where a record was made, <code>operation_id</code> is added.
            <a href="/docs">API reference</a>
          </p>
          <table>
            <thead>
              <tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Message</th><th scope="col">When</th></tr>
            </thead>
            <tbody>
              !${rows.join('')}
            </tbody>
          </table>
        </main>
      </body>
    </html>`
}
