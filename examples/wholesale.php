<?php
// A client of the Wholesale Order API in one file, for PHP 8.0 or newer. It needs no packages.
// A request has 10 seconds. Without a final answer (no connection, 408, 429, 5xx) it is sent again: after the
// seconds of Retry-After, else after 1, 2, 4, 8 and 16 seconds. All other errors throw at once.
class WholesaleError extends Exception {
    // The status is 0 without an answer. The body has `code`, `message` and, for faults of fields, `errors`.
    public function __construct(public int $status, public array $body) {
        parent::__construct("$status $body[code]: $body[message]");
    }
}

class Wholesale {
    // The headers go with every request, such as ['X-Test-Failure: unavailable'].
    public function __construct(private string $baseUrl, private string $token, private string $domain,
        private float $timeout = 10, private int $attempts = 6, private ?Closure $sleep = null,
        private array $headers = []) {}

    // The products that changed since the last call: products, removed, complete, since. Keep `since` for the
    // next call. If `complete`, these are all products: delete all others.
    public function catalog(?string $since = null): array {
        return $this->changed('/api/products?expand=variations,delivery_charge,details&', $since);
    }

    // The same with stock alone, a smaller answer.
    public function stock(?string $since = null): array {
        return $this->changed('/api/stock?', $since);
    }

    // What an order would cost, and whether there is stock. Nothing is created.
    public function quote(array $order): array {
        return $this->send('POST', '/api/orders/quote', $order);
    }

    // Places an order once: a repeat with the same store_order_id returns the order that exists. If that was
    // cancelled, it throws: to order again takes a new id.
    public function place(array $order): array {
        if (empty($order['store_order_id'])) throw new InvalidArgumentException('The store_order_id is missing.');
        try {
            return $this->send('POST', '/api/orders', $order);
        } catch (WholesaleError $error) {
            $body = $error->body;
            $isThere = $body['code'] === 'duplicate_order' && $body['same_content'];
            return $isThere && $body['status'] !== 'cancelled' ? $body : throw $error;
        }
    }

    // One order with parcels, returns and timeline, by our number or yours.
    public function status(string $number): array {
        return $this->send('GET', '/api/orders/' . rawurlencode($number) . '/status');
    }

    // The same with recipient, address, notes, refunds and documents. A read-only token may not read it.
    public function order(string $number): array {
        return $this->send('GET', '/api/orders/' . rawurlencode($number));
    }

    // The orders that changed since the last call: orders, unknown, since. `tracking` is null until a parcel
    // leaves. At the first call, and if `since` has expired, you get the `$open` orders as they are now.
    public function changes(?string $since = null, array $open = []): array {
        $found = ['orders' => [], 'unknown' => [], 'since' => $since];
        try {
            for ($more = (bool) $since; $more; $more = $page['has_more']) {
                $page = $this->send('GET', '/api/orders?since=' . rawurlencode($found['since']));
                array_push($found['orders'], ...$page['data']);
                $found['since'] = $page['sync_token'];
            }
            if ($since) return $found;
        } catch (WholesaleError $error) {
            if ($error->status !== 410) throw $error;
        }
        $found['since'] = $this->send('GET', '/api/orders?limit=1')['sync_token']; // first, to miss no change
        foreach (array_chunk($open, 100) as $numbers) {
            $query = implode('&orders=', array_map('rawurlencode', $numbers));
            $page = $this->send('GET', "/api/orders/status?orders=$query");
            array_push($found['orders'], ...$page['data']);
            array_push($found['unknown'], ...$page['unknown']);
        }
        return $found;
    }

    // The invoices and notes of an order: number, kind, date, amount, lines and url.
    public function documents(string $number): array {
        return $this->send('GET', '/api/orders/' . rawurlencode($number) . '/documents')['documents'];
    }

    // The same of all orders from this day to that day, such as 2026-11-30. Both days are included.
    public function documentsByDay(string $first, ?string $last = null): array {
        $query = ['issued_from' => $first, 'issued_to' => $last ?? $first, 'limit' => 100];
        $documents = [];
        do {
            $page = $this->send('GET', '/api/documents?' . http_build_query($query));
            array_push($documents, ...$page['data']);
            $query['cursor'] = $page['next_cursor'] ?? null;
        } while ($page['has_more']);
        return $documents;
    }

    // Sends any request that is safe to repeat. A PDF, such as the `url` of a document, comes as a string.
    public function send(string $method, string $path, ?array $content = null): array|string {
        $noAnswer = ['code' => 'no_answer', 'message' => 'No whole answer came in time.'];
        for ($attempt = 1; ; $attempt++) {
            [$status, $body, $retryAfter] = $this->try($method, $path, $content) ?? [0, $noAnswer, 0];
            if ($status >= 200 && $status < 300) return $body;
            $mayPass = $status < 200 || $status === 408 || $status === 429 || $status >= 500;
            if (!$mayPass || $attempt >= $this->attempts) throw new WholesaleError($status, $body);
            // Up to a quarter longer, so that not all stores come back at the same moment.
            $seconds = min($retryAfter ?: 2 ** ($attempt - 1), 60) * (1 + mt_rand() / mt_getrandmax() / 4);
            $this->sleep ? ($this->sleep)($seconds) : usleep((int) ($seconds * 1e6));
        }
    }

    private function try(string $method, string $path, ?array $content): ?array {
        $json = $content ? json_encode($content, JSON_THROW_ON_ERROR) : ''; // a text that is not UTF-8 throws
        $context = stream_context_create(['http' => ['method' => $method, 'timeout' => $this->timeout,
            'header' => ['Authorization: Bearer ' . trim($this->token), "X-Client-Domain: $this->domain",
                'Content-Type: application/json', ...$this->headers], 'content' => $json,
            'ignore_errors' => true, 'follow_location' => 0]]); // no other host gets the token
        $ends = microtime(true) + $this->timeout;
        if (!$stream = @fopen(rtrim($this->baseUrl, '/') . $path, 'rb', false, $context)) return null;
        for ($received = ''; !feof($stream) && microtime(true) < $ends;)
            $received .= fread($stream, max(1, stream_get_meta_data($stream)['unread_bytes'])); // what is there
        ['wrapper_data' => $lines, 'eof' => $isOver] = stream_get_meta_data($stream);
        $named = fn($name) => current(array_filter($lines, fn($line) => stripos($line, "$name:") === 0)) ?: '';
        $header = fn($name) => trim(substr($named($name), strlen($name) + 1));
        if (!$isOver || strlen($received) < (int) $header('Content-Length')) return null;
        [$status, $retryAfter] = [(int) substr($lines[0], 9, 3), (int) $header('Retry-After')];
        $body = $header('Content-Type') === 'application/pdf' ? $received : json_decode($received, true);
        if ($body !== null) return [$status, $body, $retryAfter];
        $body = ['code' => 'not_json', 'message' => 'Not an answer of the service. Check the base address.'];
        return [$status >= 300 ? $status : 0, $body, $retryAfter];
    }

    private function changed(string $path, ?string $since): array {
        try {
            $page = $this->send('GET', $path . ($since ? 'since=' . rawurlencode($since) : ''));
            return ['products' => $page['data'], 'removed' => $page['removed'] ?? [],
                'complete' => !$since, 'since' => $page['sync_token']];
        } catch (WholesaleError $error) {
            // After 410 the service was restored: read all again.
            return $error->status === 410 ? $this->changed($path, null) : throw $error;
        }
    }
}
