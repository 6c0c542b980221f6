// A placeholder for pages that are not built yet.
import type { AppReply } from '../types.ts'

const retrySeconds = 3

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta http-equiv="refresh" content="${retrySeconds}">
<title>Comporta</title>
</head>
<body>
<h1>This page is not built yet</h1>
<p>The first <code>npm start</code> builds it in about half a minute. This page then reloads.
Otherwise run <code>npm run build:web</code>.</p>
</body>
</html>
`

export function sendNotBuilt(reply: AppReply): AppReply {
  return reply
    .code(503)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'retry-after': String(retrySeconds),
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
