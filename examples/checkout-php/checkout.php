<?php
// Hosted checkout in PHP, without packages.
declare(strict_types=1);

const PRICE = '12.50';
const SIGNATURE_AGE_MAX_SECONDS = 300;
/** Statuses from callbacks, one file for each checkout. Use a table of your database. */
const TOLD = __DIR__ . '/data';
/** Final statuses. */
const ENDED = ['COMPLETED', 'FAIL', 'VOIDED'];

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
try {
    match ("{$_SERVER['REQUEST_METHOD']} $path") {
        'GET /' => showGoods(),
        'POST /pay' => pay(),
        'GET /return' => showResult($_GET['checkoutid'] ?? ''),
        'POST /callbacks' => receiveCallback(file_get_contents('php://input')),
        default => send(404, 'There is no such page.'),
    };
} catch (Throwable $error) {
    error_log($error->getMessage());
    send(500, 'Something went wrong. Try again.');
}

function showGoods(): void
{
    send(200, '<form method="post" action="/pay"><button>Pay ' . PRICE . ' EUR</button></form>');
}

/** Creates a checkout and sends the customer to it. */
function pay(): void
{
    $shop = 'http://' . $_SERVER['HTTP_HOST'];
    $checkout = ask('POST', '/api/v2/checkout', [
        'payment' => ['amount' => PRICE, 'currency' => 'EUR', 'ext_invoiceid' => 'ORDER-' . bin2hex(random_bytes(4))],
        'url_confirm' => "$shop/return",
        'url_cancel' => "$shop/return",
        // A repeated request with this id creates nothing twice.
        'request_id' => newUuid(),
    ]);
    header("Location: {$checkout['url_redirect']}", true, 303);
}

/** The return of the browser proves nothing: ask the gateway. */
function showResult(string $id): void
{
    $status = ask('GET', '/api/v2/checkout/' . rawurlencode($id))['payment']['status'];
    $paid = $status === 'COMPLETED' ? 'Paid, thank you.' : 'Not paid: ' . htmlspecialchars($status) . '.';
    send(200, "<p>$paid</p><p>Callback: " . htmlspecialchars(told($id) ?? 'none yet') . '</p>');
}

/** Callbacks can arrive twice and in any order. A final status never changes. */
function receiveCallback(string $body): void
{
    if (!isGenuine($body)) {
        send(400, 'The signature is wrong.');
        return;
    }
    $callback = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    $id = $callback['checkout_id'] ?? null;
    $status = $callback['operation_status'] ?? null;
    if ($id !== null && $status !== null && !in_array(told($id), ENDED, true)) {
        if (!is_dir(TOLD)) {
            mkdir(TOLD, 0700);
        }
        file_put_contents(toldFile($id), $status, LOCK_EX);
    }
    send(200, 'Received.');
}

/** Checks the signature (Standard Webhooks). During a change of the secret there are two signatures. */
function isGenuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > SIGNATURE_AGE_MAX_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', setting('COMPORTA_SIGNING_SECRET')));
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return array_filter($given, fn (string $signature) => hash_equals($wanted, $signature)) !== [];
}

function ask(string $method, string $path, ?array $body = null): array
{
    $answer = @file_get_contents(setting('COMPORTA_URL') . $path, false, stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: Comporta ' . setting('COMPORTA_API_KEY'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 35,
        'ignore_errors' => true,
    ]]));
    $read = json_decode($answer === false ? '' : $answer, true);
    if (!is_array($read)) {
        throw new RuntimeException('the gateway did not answer');
    }
    if (isset($read['code'])) {
        throw new RuntimeException("{$read['code']} {$read['reason']} ({$read['tid']})");
    }
    return $read;
}

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("Set $name: see README.md");
}

function told(string $id): ?string
{
    return is_file(toldFile($id)) ? file_get_contents(toldFile($id)) : null;
}

function toldFile(string $id): string
{
    return TOLD . '/' . preg_replace('/[^0-9a-f-]/', '', strtolower($id));
}

function newUuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function send(int $status, string $html): void
{
    http_response_code($status);
    header('Content-Type: text/html; charset=utf-8');
    echo $html;
}
