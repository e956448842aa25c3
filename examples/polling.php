<?php
require 'wholesale.php';
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'));
$file = 'stock.json'; // in your shop: a table of its database
$kept = ['since' => null, 'stock' => []];
if (is_file($file)) $kept = json_decode(file_get_contents($file), true);

$changes = $api->stock($kept['since']);
if ($changes['complete']) $kept['stock'] = [];
foreach ($changes['products'] as $product) $kept['stock'][$product['sku']] = $product['stock_qty'];
foreach ($changes['removed'] as $sku) unset($kept['stock'][$sku]);

$kept['since'] = $changes['since'];
file_put_contents($file, json_encode($kept));
echo count($changes['products']), ' products changed, ', count($kept['stock']), " are for sale\n";
