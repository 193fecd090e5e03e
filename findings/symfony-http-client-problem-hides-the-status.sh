#!/usr/bin/env bash
# Symfony's HttpClient builds its exception's message only from a JSON body's title and detail, without status or URL.
# versions: Debian 12's php-symfony-http-client 5.4.53+dfsg-0+deb12u1 (observed, 2026-11-28)
# guessed: the status line comes first, then title and detail (60 %)
# seen: "Order changed", an empty line, "Read it again."; the same for application/json; only another type gets status and address
# matters: PHP programs that log the messages of an API's exceptions: once the API returns problem+json, the log lacks status and endpoint,
#   and contains what the detail says about a customer. Log getResponse()->getStatusCode() and getInfo('url') instead.
# needs: php (8.1 or later), Debian's apt-get and dpkg
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
apt-get download -qq php-symfony-http-client=5.4.53+dfsg-0+deb12u1 php-symfony-http-client-contracts php-symfony-service-contracts php-psr-log php-psr-container php-symfony-deprecation-contracts >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done

cat >program.php <<'PHP'
<?php
set_include_path(__DIR__ . "/usr/share/php");
spl_autoload_register(function (string $class) {
    @include str_replace("\\", "/", $class) . ".php";
});

use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpClient\Response\MockResponse;

$body = '{"type":"about:blank","title":"Order changed","status":409,"detail":"Read it again."}';
foreach (["application/problem+json", "application/json", "text/plain"] as $type) {
    $answer = new MockResponse($body, ["http_code" => 409, "response_headers" => ["Content-Type: $type"]]);
    try {
        (new MockHttpClient($answer))->request("GET", "https://api.example.com/v1/orders/1")->getContent();
    } catch (Exception $error) {
        echo $type, ": ", json_encode($error->getMessage(), JSON_UNESCAPED_SLASHES), "; code ", $error->getCode(), "\n";
    }
}
PHP
php program.php >seen

diff - seen <<'SEEN'
application/problem+json: "Order changed\n\nRead it again."; code 409
application/json: "Order changed\n\nRead it again."; code 409
text/plain: "HTTP 409 returned for \"https://api.example.com/v1/orders/1\"."; code 409
SEEN
echo "as seen"
