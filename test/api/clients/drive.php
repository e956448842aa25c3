<?php
// Notices and warnings are errors, but not those that @ silences.
set_error_handler(fn($level, $message) => error_reporting() & $level ? throw new ErrorException($message) : true);
require $argv[1];
$job = json_decode($argv[2], true);
$pauses = $results = [];
$sleep = function ($seconds) use (&$pauses) { $pauses[] = $seconds; };
$api = new Wholesale($job['url'], $job['token'], $job['domain'], $job['timeout'], $job['attempts'], $sleep);
foreach ($job['calls'] as $args) {
    $method = array_shift($args);
    try {
        $result = $api->$method(...$args);
        $results[] = ['result' => is_string($result) ? base64_encode($result) : $result];
    } catch (Exception $error) {
        $facts = ['status' => $error->status ?? null, 'body' => $error->body ?? null];
        $results[] = ['error' => $facts + ['message' => $error->getMessage()]];
    }
}
echo json_encode(['results' => $results, 'pauses' => $pauses]);
