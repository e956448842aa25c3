<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));

// One unit of the first line comes back. Your own id makes it safe to ask again: you get the same return.
$api->send('POST', '/api/orders/WEB-3001/returns', [
    'store_return_id' => 'RET-3001',
    'lines' => [['line' => 1, 'quantity' => 1]],
    'reason' => 'Arrived damaged',
]);

$order = $api->status('WEB-3001');
foreach ($order['returns'] as $return) {
    echo "Return $return[number] is $return[state] and refunded $return[refunded]\n";
    foreach ($return['lines'] as ['line' => $line, 'quantity' => $quantity, 'received' => $received]) {
        $received ??= 0;
        echo "{$order['items'][$line - 1]['name']} asked: $quantity received: $received\n";
    }
}
