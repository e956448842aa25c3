<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));

try {
    $api->place([
        'store_order_id' => 'WEB-3002',
        'customer' => ['name' => 'Ravi Kumar'],
        'shipping' => [
            'address' => '12, MG Road', 'city' => 'Bengaluru',
            'state' => 'Karnataka', 'pincode' => '56',
        ],
        'items' => [['sku' => 'NO-SUCH-SKU', 'quantity' => 1]],
    ]);
} catch (WholesaleError $error) {
    echo $error->getMessage(), "\n";
    foreach ($error->body['errors'] ?? [] as $fault) echo "$fault[field] $fault[message]\n";
}
