#!/usr/bin/env bash
# Symfony's HttpClient throws RedirectionException when a program reads the body of a 304, as for a redirect that it cannot follow.
# versions: Debian 12's php-symfony-http-client 5.4.53+dfsg-0+deb12u1 (observed, 2026-11-28)
# guessed: JsonException, "Response body is empty.", as for a 204 (75 %)
# seen: getContent() and toArray() throw RedirectionException for a 304; the 204 gives an empty text and the JsonException
# matters: PHP clients that send If-None-Match: "not modified" becomes an exception, and a handler of HttpExceptionInterface counts it as
#   a failure of the API. Call getStatusCode() first, which does not throw, and use the stored copy.
# needs: php (8.1 or later), Debian's apt-get and dpkg
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
apt-get download -qq php-symfony-http-client=5.4.53+dfsg-0+deb12u1 php-symfony-http-client-contracts php-symfony-service-contracts php-psr-log php-psr-container >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done

cat >program.php <<'PHP'
<?php
set_include_path(__DIR__ . "/usr/share/php");
spl_autoload_register(function (string $class) {
    @include str_replace("\\", "/", $class) . ".php";
});

use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpClient\Response\MockResponse;
use Symfony\Contracts\HttpClient\Exception\HttpExceptionInterface;

function outcome(int $status, string $method): string
{
    $answer = new MockResponse("", ["http_code" => $status, "response_headers" => ['ETag: W/"7"']]);
    $response = (new MockHttpClient($answer))->request("GET", "https://api.example.com/v1/orders/1", ["headers" => ["If-None-Match" => 'W/"7"']]);
    try {
        return json_encode($response->$method());
    } catch (Exception $error) {
        return (new ReflectionClass($error))->getShortName() . ($error instanceof HttpExceptionInterface ? ", an HTTP error" : "");
    }
}

foreach ([304, 204] as $status) {
    foreach (["getStatusCode", "getContent", "toArray"] as $method) {
        echo $status, " ", $method, ": ", outcome($status, $method), "\n";
    }
}
PHP
php program.php >seen

diff - seen <<'SEEN'
304 getStatusCode: 304
304 getContent: RedirectionException, an HTTP error
304 toArray: RedirectionException, an HTTP error
204 getStatusCode: 204
204 getContent: ""
204 toArray: JsonException
SEEN
echo "as seen"
