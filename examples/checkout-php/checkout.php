<?php
// Hosted checkout in PHP, without packages.
declare(strict_types=1);

const PRICE = '12.50';
const SIGNATURE_AGE_MAX_SECONDS = 300;
/** Payments from callbacks, by operation id. Use a table of your database. */
const PAYMENTS = __DIR__ . '/data/payments.json';
/** Final statuses. */
const ENDED = ['COMPLETED', 'FAIL', 'VOIDED'];

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
try {
    match ("{$_SERVER['REQUEST_METHOD']} $path") {
        'GET /' => showGoods(),
        'POST /pay' => pay(),
        'GET /return' => showResult($_GET['checkoutid'] ?? ''),
        'POST /callbacks' => receiveCallback(file_get_contents('php://input')),
        // For comporta exam. Keep these two away from strangers.
        'GET /state' => showState(),
        'POST /resync' => readEvents(),
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
    ['id' => $payment, 'status' => $status] = ask('GET', '/api/v2/checkout/' . rawurlencode($id))['payment'];
    $paid = $status === 'COMPLETED' ? 'Paid, thank you.' : 'Not paid: ' . htmlspecialchars($status) . '.';
    $told = withStored(fn (array $stored) => $stored)['payments'][$payment]['status'] ?? 'none yet';
    send(200, "<p>$paid</p><p>Callback: " . htmlspecialchars($told) . '</p>');
}

function receiveCallback(string $body): void
{
    if (!isGenuine($body)) {
        send(400, 'The signature is wrong.');
        return;
    }
    $callback = json_decode($body, true, flags: JSON_THROW_ON_ERROR) ?? [];
    withStored(fn (array $stored) => noted($stored, $callback));
    send(200, 'Received.');
}

/** Callbacks can arrive twice and in any order: a refund even before its payment. */
function noted(array $stored, array $callback): array
{
    ['type' => $type, 'operation_status' => $status] = $callback + ['type' => null, 'operation_status' => null];
    $isRefund = $type === 'REFUND' && $status === 'COMPLETED';
    if ($type !== 'PAYMENT' && !$isRefund) {
        return $stored;
    }
    $payment = &$stored['payments'][$callback[$isRefund ? 'parent_operation_id' : 'operation_id']];
    $cents = (int) round($callback['amount'] * 100);
    if ($isRefund) {
        // The same refund counts once. Its amount is negative.
        $payment['refunds'][$callback['operation_id']] = -$cents;
    } elseif (!in_array($payment['status'] ?? null, ENDED, true)) {
        // A final status never changes.
        $payment = ['status' => $status, 'cents' => $cents] + ($payment ?? []);
    }
    return $stored;
}

/** Reads the events after the last one: callbacks can be lost while the program is down. */
function readEvents(): void
{
    do {
        $cursor = withStored(fn (array $stored) => $stored)['cursor'] ?? '';
        $page = ask('GET', "/api/v2/events?after=$cursor");
        withStored(fn (array $stored) => ['cursor' => $page['next']]
            + array_reduce(array_column($page['events'], 'body'), noted(...), $stored));
    } while ($page['more']);
    send(200, 'Read.');
}

function showState(): void
{
    $payments = withStored(fn (array $stored) => $stored)['payments'] ?? [];
    $known = array_filter($payments, fn (array $payment) => isset($payment['status']));
    $operations = array_map(fn (array $payment) => [
        'status' => $payment['status'],
        'amount' => $payment['cents'] / 100,
        'refunded' => array_sum($payment['refunds'] ?? []) / 100,
    ], $known);
    header('Content-Type: application/json');
    echo json_encode(['operations' => (object) $operations], JSON_THROW_ON_ERROR);
}

/** Changes what is stored, under a lock: two callbacks can come at the same moment. Returns it. */
function withStored(callable $change): array
{
    if (!is_dir(dirname(PAYMENTS))) {
        mkdir(dirname(PAYMENTS), 0700);
    }
    $file = fopen(PAYMENTS, 'c+');
    flock($file, LOCK_EX);
    $before = json_decode(stream_get_contents($file), true) ?? [];
    $after = $change($before);
    if ($after !== $before) {
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode($after, JSON_THROW_ON_ERROR));
    }
    fclose($file);
    return $after;
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
