<?php
require 'wholesale.php';
// More time than usual: a PDF is drawn when you ask for it.
$api = new Wholesale(getenv('API'), getenv('TOKEN'), getenv('DOMAIN'), timeout: 60);

foreach ($api->documents('WEB-3001') as $document) {
    $file = "$document[number].pdf";
    // Only an e-invoice changes: it gets its IRN and QR code later.
    if (!is_file($file)) file_put_contents($file, $api->send('GET', $document['url']));
    echo "$document[kind] $document[number] $document[amount]\n";
}
