<?php
require 'wholesale.php';
// TOKEN is a test token: nothing is held, owed or sent.
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));
$number = uniqid('TRY-');
$order = [
    'store_order_id' => $number,
    'customer' => ['name' => 'Ravi Kumar', 'phone' => '+91 98765 43210'],
    'shipping' => [
        'address' => '12, MG Road', 'city' => 'Bengaluru',
        'state' => 'Karnataka', 'pincode' => '560038',
    ],
    'items' => [['sku' => 'MUG-350', 'quantity' => 2]],
];
$api->place($order);

// You are the wholesaler and the courier now. Let your store follow the order meanwhile.
foreach (['paid', 'shipped', 'delivered'] as $step) {
    $api->send('POST', "/api/test/orders/$number/advance", ['step' => $step]);
    $state = $api->status($number);
    $parcel = $state['tracking']['tracking_number'] ?? '';
    echo "Test order is $state[status] $parcel\n";
}

// A failure as a real one: what does your store do?
$headers = ['X-Test-Failure: sold_out'];
$failing = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'), headers: $headers);
try {
    $failing->place(['store_order_id' => "$number-2"] + $order);
} catch (WholesaleError $error) {
    echo $error->getMessage(), "\n";
}
