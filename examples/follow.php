<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));
$file = 'orders.json'; // in your shop: a table of its database
$kept = ['since' => null, 'open' => ['WEB-3001']];
if (is_file($file)) $kept = json_decode(file_get_contents($file), true);

$changes = $api->changes($kept['since'], $kept['open']);
foreach ($changes['orders'] as $order) {
    ['store_order_id' => $number, 'status' => $status, 'tracking' => $parcel] = $order;
    echo "Order $number is $status\n";
    if ($parcel) echo "Tracking: $parcel[courier] $parcel[tracking_number] $parcel[tracking_url]\n";
    $isOver = in_array($status, ['delivered', 'cancelled']);
    if ($isOver) $kept['open'] = array_values(array_diff($kept['open'], [$number]));
}

$kept['since'] = $changes['since'];
file_put_contents($file, json_encode($kept));
