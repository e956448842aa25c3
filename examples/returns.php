<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));

$order = $api->status('WEB-3001');
foreach ($order['returns'] as $return) {
    echo "Return $return[number] is $return[state] and refunded $return[refunded]\n";
    foreach ($return['lines'] as ['line' => $line, 'quantity' => $quantity]) {
        echo "$quantity x {$order['items'][$line - 1]['name']}\n";
    }
}
