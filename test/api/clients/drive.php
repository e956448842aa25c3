<?php
// Notices and warnings are errors, but not those that @ silences.
set_error_handler(fn($level, $message) => error_reporting() & $level ? throw new ErrorException($message) : true);
require $argv[1];
$job = json_decode($argv[2], true);
$pauses = $results = [];
$sleep = function ($seconds) use (&$pauses) { $pauses[] = $seconds; };
$headers = array_map(fn($name, $value) => "$name: $value", array_keys($job['headers']), $job['headers']);
$api = new Wholesale($job['url'], $job['token'], $job['domain'], $job['timeout'], $job['attempts'], $sleep, $headers);
if ($job['isLatin1'] ?? false)
    array_walk_recursive($job['calls'], function (&$text) {
        if (is_string($text)) $text = iconv('UTF-8', 'ISO-8859-1', $text);
    });
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
