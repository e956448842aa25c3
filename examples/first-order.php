<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));

// Three products, at your prices.
foreach (array_slice($api->catalog()['products'], 0, 3) as $product) {
    echo "$product[sku] $product[name] {$product['pricing']['wholesale_price']}\n";
}

// What does an order cost? A quote creates nothing.
$items = [['sku' => 'MUG-350', 'quantity' => 2]];
$quote = $api->quote(['items' => $items]);
echo "The order costs $quote[total] $quote[currency]\n";

// The order. Your own id makes it safe to place again: you get the same order. If that was cancelled, place()
// throws: order again with a new store_order_id.
$order = $api->place([
    'store_order_id' => 'WEB-3001',
    'customer' => ['name' => 'Ravi Kumar', 'phone' => '+91 98765 43210'],
    'shipping' => [
        'address' => '12, MG Road', 'city' => 'Bengaluru',
        'state' => 'Karnataka', 'pincode' => '560038',
    ],
    'items' => $items,
]);
echo "Order $order[order_number] is $order[status]\n";
